import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LostThings } from '../../../engine/client.ts'
import { fakeSql, setupSql } from '../testing/render-sql.tsx'
import { Lost } from './Lost.tsx'

const BY: LostThings['statements'] = [{ kind: 'table', sql: 'CREATE TABLE a AS SELECT 1', parameters: {} }]

test.each<[LostThings, RegExp, string[]]>([
  [
    { names: ['a', 'b'], statements: BY, transaction: false },
    /^This tab’s engine stopped\. Its temporary tables are gone: a, b\.“Recreate” runs 1 statement on/,
    ['Recreate', 'Leave it'],
  ],
  [{ names: [], statements: BY, transaction: false }, /stopped\. What it had set is gone\./, ['Recreate', 'Leave it']],
  [
    { names: ['a'], statements: BY, transaction: true },
    /are gone: a\.The open transaction is undone/,
    ['Recreate', 'Leave it'],
  ],
  // What was created in a transaction can only be restored by its own statements, which weren't kept.
  [
    { names: ['a'], statements: [], transaction: true },
    /are gone: a\.The open transaction is undone[^.]+\.Leave it$/,
    ['Leave it'],
  ],
  [
    { names: ['a'], statements: BY, transaction: true, left: true },
    /^This tab was closed, or its page was left\. Its temporary tables are gone: a\.The open/,
    ['Recreate', 'Leave it'],
  ],
  [
    { names: [], statements: [], transaction: true, left: true },
    /was left\. The open transaction is undone/,
    ['Leave it'],
  ],
  [{ names: [], statements: [], transaction: true }, /stopped\. The open transaction is undone/, ['Leave it']],
])('%j', async (lost, words, actions) => {
  setupSql(await fakeSql(['a']), <Lost lost={lost} tabId="a" />)
  expect((await screen.findByRole('status')).textContent).toMatch(words)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(actions)
})
