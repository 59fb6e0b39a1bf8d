import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import { toReceiptFile } from '../../../tables/files/receipt-file.ts'
import { receipt } from '../../../tables/testing.ts'
import { ReceiptChecks as CheckStore } from '../store/receipt-checks.ts'
import { renderConvert } from '../testing/render-convert.tsx'
import { testStore } from '../testing/test-store.ts'
import ReceiptChecks from './ReceiptChecks.tsx'

test('files to compare that have the same name are told apart', async () => {
  const { source, output, ...rest } = receipt()
  const same = { ...rest, source: { ...source, name: 'a.csv' }, output: { ...output, name: 'a.csv' } }
  const client = {} as EngineClient
  const receiptChecks = new CheckStore(client, () => 'id')
  renderConvert(<ReceiptChecks />, testStore(client), { receiptChecks })
  await receiptChecks.add(
    [new File([JSON.stringify(toReceiptFile([same], ''))], 'a.receipt.json')],
    [],
    () => undefined,
  )
  expect(await screen.findByText('Not compared yet: the new file “a.csv” and the source “a.csv”.')).toBeDefined()
})
