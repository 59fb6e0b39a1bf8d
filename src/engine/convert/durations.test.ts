import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { TARGET_FORMATS } from '../../contract/formats.ts'
import { nativeText } from '../testing/oracle.ts'
import { applyEdits, NO_EDITS } from '../../tables/edits.ts'
import { MINUTES_PATTERN } from '../../tables/meaning.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { applyProposals, openProposals } from '../../tables/proposals.ts'
import { convert, convertAsInspected, inspect } from '../testing/run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-durations-'))
const file = new File(['id,length\n1,30:15:00\n2,08:00:00.50\n3,\n4,100:00:01.25\n'], 'lengths.csv')

it.each(TARGET_FORMATS)('durations of a CSV are the same when $displayName is read back', async ({ id }) => {
  const { result, files } = await convert(file, id)
  expect([result.rejectedCount, files.length]).toEqual([0, 1])
})

it('durations are values that native DuckDB adds up, from Parquet', async () => {
  const { files } = await convert(file, 'parquet')
  const at = path.join(folder, 'lengths.parquet')
  writeFileSync(at, new Uint8Array(await files[0].arrayBuffer()))
  expect(await nativeText(`SELECT id, CAST(length AS INTERVAL) + INTERVAL 1 HOUR FROM '${at}'`)).toEqual([
    ['1', '31:15:00'],
    ['2', '09:00:00.5'],
    ['3', null],
    ['4', '101:00:01.25'],
  ])
})

it('durations are numbers in Excel, days in them hours, and the receipt tells what isn’t as it was', async () => {
  const sheet = new File(['id,spent\n1,8:30\n2,38:15\n3,-2:30\n4,P1DT2H\n5,P1M\n6,\n'], 'sheet.csv')
  const { result, files } = await convert(sheet, 'xlsx', undefined, (plan) => ({
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (column.name === 'spent' ? { ...column, type: 'INTERVAL' } : column)),
    })),
  }))
  const [receipt] = result.outputs[0].receipts
  expect(receipt).toMatchObject({ verdict: 'match', differences: [] })
  expect(result.rejectedCount).toBe(0)
  const changes = receipt.changes.filter(({ column }) => column === 'spent').map(({ code, count }) => [code, count])
  expect(changes).toEqual(
    expect.arrayContaining([
      ['days-as-hours', 1],
      ['negative-durations', 1],
      ['durations-as-text', 1],
    ]),
  )
  const { tables } = (await inspect(files[0])).inspection
  expect(tables[0].columns[1].reason).toMatch(/^1 of 5 values is not a duration/)
  const again = await convert(files[0], 'csv', undefined, (plan) => plan)
  expect(await again.files[0].text()).toBe('id,spent\n1,08:30:00\n2,38:15:00\n3,-02:30:00\n4,26:00:00\n5,1 month\n6,\n')
})

it.each([
  [{}, 'Values like 5:06 are hours and minutes.'],
  [{ dateFormat: MINUTES_PATTERN }, 'Values like 5:06 are minutes and seconds.'],
] as const)('the receipt says with an example which two units were chosen: %j', async (format, words) => {
  const clocks = new File(['id,spent\n1,5:06\n2,11:45\n'], 'clocks.csv')
  const { inspection } = await inspect(clocks)
  const chosen = openProposals(inspection, applyEdits(inspection, NO_EDITS)).filter(
    ({ proposal: { change } }) =>
      change.kind === 'column' &&
      change.patch.type === 'INTERVAL' &&
      JSON.stringify(change.patch.format ?? {}) === JSON.stringify(format),
  )
  expect(chosen).toHaveLength(1)
  const { edits } = applyProposals(inspection, { edits: NO_EDITS, request: {}, applied: [] }, chosen)
  const { result } = await convertAsInspected(clocks, inspection, 'csv', defaultOptions('csv'), () =>
    applyEdits(inspection, edits),
  )
  const [change] = result.outputs[0].receipts[0].changes
  expect([change.column, change.message.includes(words)]).toEqual(['spent', true])
})
