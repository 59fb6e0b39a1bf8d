import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LostThings } from '../../../engine/client.ts'
import { fakeSql, setupSql } from '../testing/render-sql.tsx'
import { Lost } from './Lost.tsx'

const BY: LostThings['statements'] = [{ kind: 'table', sql: 'CREATE TABLE a AS SELECT 1', parameters: {} }]

test.each<[LostThings, RegExp, string[]]>([
  [
    { names: ['a', 'b'], statements: BY, transaction: false },
    /is gone: its temporary tables \(a, b\)\.1 statement/,
    ['Make it again', 'Leave it'],
  ],
  [{ names: [], statements: BY, transaction: false }, /is gone: what it had set\./, ['Make it again', 'Leave it']],
  [
    { names: ['a'], statements: BY, transaction: true },
    /is gone: its temporary tables \(a\)\.The open transaction is undone/,
    ['Make it again', 'Leave it'],
  ],
  // What a transaction makes is there again only by its own statements, which nobody kept.
  [
    { names: ['a'], statements: [], transaction: true },
    /is gone: its temporary tables \(a\)\.The open transaction is undone[^.]+\.Leave it$/,
    ['Leave it'],
  ],
  [
    { names: ['a'], statements: BY, transaction: true, left: true },
    /^This tab was closed, or its page left, and what the tab had made is gone: its temporary tables \(a\)\.The open/,
    ['Make it again', 'Leave it'],
  ],
  [
    { names: [], statements: [], transaction: true, left: true },
    /page left\.The open transaction is undone/,
    ['Leave it'],
  ],
  [{ names: [], statements: [], transaction: true }, /stopped\.The open transaction is undone/, ['Leave it']],
])('%j', async (lost, words, actions) => {
  setupSql(await fakeSql(['a']), <Lost lost={lost} tabId="a" />)
  expect((await screen.findByRole('status')).textContent).toMatch(words)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(actions)
})
