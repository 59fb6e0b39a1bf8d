import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import { receipt } from '../../../tables/testing.ts'
import { renderConvert } from '../testing/render-convert.tsx'
import { testStore } from '../testing/test-store.ts'
import { Receipt } from './Receipt.tsx'

function show(given: ReturnType<typeof receipt>): void {
  const client = {} as EngineClient
  const outputs = [{ id: 'a', name: 'a.parquet', mimeType: '', size: 500, receipts: [given] }]
  const result = {
    target: 'parquet',
    outputs,
    rejectedCount: 0,
    rejected: [],
    rejectedFile: null,
    agreed: false,
    finishedAt: 0,
  } as const
  renderConvert(<Receipt fileName="a.csv" result={result} open={false} />, testStore(client), { client })
}

/** What only the printed receipt says. */
function printed(): string[] {
  const said = (kind: string): string[] => screen.getAllByRole(kind).map(({ textContent }) => textContent)
  const before = said('definition')
  act(() => void dispatchEvent(new Event('beforeprint')))
  const terms = said('term')
  const lines = said('definition').map((text, i) => `${terms[i]}: ${text}`)
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(said('definition')).toEqual(before)
  return lines.slice(before.length)
}

test('a printed receipt names its files and when they were made', () => {
  show(receipt())
  expect(printed()).toEqual([
    'New file: a.parquet',
    'Made: 2026-01-02 03:04 UTC',
    `SHA-256 of the source: ${'a'.repeat(64)}`,
    `SHA-256 of the new file: ${'b'.repeat(64)}`,
  ])
})

test('a printed receipt of several sources identifies each of their files', () => {
  const from = (name: string, table: string | null, sha256 = name) => ({
    name,
    table,
    size: 9,
    format: 'xlsx' as const,
    sha256: sha256.repeat(64),
    rows: 1,
    rejectedRows: 0,
    rowChecksum: '0',
  })
  show(receipt({ sources: [from('x', 'A'), from('x', 'B'), from('y', null), from('y', null, 'z')] }))
  expect(printed().filter((line) => line.includes('“'))).toEqual([
    `SHA-256 of “x”: ${'x'.repeat(64)}`,
    `SHA-256 of “y”: ${'y'.repeat(64)}`,
    `SHA-256 of “y”: ${'z'.repeat(64)}`,
  ])
})
