import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import { receipt } from '../../../tables/testing.ts'
import { renderConvert } from '../testing/render-convert.tsx'
import { testStore } from '../testing/test-store.ts'
import { Receipt } from './Receipt.tsx'

test('a printed receipt names its files and when they were made', () => {
  const client = {} as EngineClient
  const outputs = [{ id: 'a', name: 'a.parquet', mimeType: '', size: 500, receipts: [receipt()] }]
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
  const said = (): string[] => screen.getAllByRole('definition').map(({ textContent }) => textContent)
  const before = said()
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(said().slice(before.length)).toEqual(['a.parquet', '2026-01-02 03:04 UTC', 'a'.repeat(64), 'b'.repeat(64)])
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(said()).toEqual(before)
})
