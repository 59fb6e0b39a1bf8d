import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TARGET_FORMATS, type FormatId } from '../../contract/formats.ts'
import { defaultOptions, type ImportPlan, type ReadSettings } from '../../tables/plan.ts'
import { compareFingerprints } from '../../tables/compare.ts'
import { printType } from '../../tables/types.ts'
import { Fingerprinter } from './fingerprint/fingerprint.ts'
import { writerOf } from '../formats/registry.ts'
import { MemorySink } from '../../lib/sink.ts'
import { readTable } from './read-table.ts'
import { batchOf, randomTable, type RandomTable } from '../testing/arbitrary.ts'
import { convert } from '../testing/run.ts'
import { QUIET } from '../testing/quiet.ts'

const IDS = TARGET_FORMATS.map(({ id }) => id)

/** Writes a table, with settings for reading it: detection isn't tested here. */
async function write(
  table: RandomTable,
  format: FormatId,
  rows = true,
): Promise<{ file: File; settings: ReadSettings }> {
  const sink = new MemorySink()
  const writer = (await writerOf(format)).open(sink, defaultOptions(format), QUIET)
  await writer.begin({ name: 'table', columns: table.columns })
  if (rows) await writer.write(batchOf(table))
  const { readBack } = await writer.finish()
  const { settings } = readBack[0]
  // If most values have blanks around them, these would be taken for part of the delimiter.
  return {
    file: sink.file(`table.${format}`),
    settings: settings.kind === 'csv' ? { ...settings, trim: false } : settings,
  }
}

/** The plan with the table's own types: in text, lists look like JSON. */
function typed(plan: ImportPlan, { columns }: RandomTable): ImportPlan {
  const tables = plan.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column, i) => ({ ...column, type: printType(columns[i].type) })),
  }))
  return { ...plan, tables }
}

describe.each(IDS)('a random table in %s', (source) => {
  it.each(IDS)('is the same in %s', async (target) => {
    await fc.assert(
      fc.asyncProperty(randomTable(), async (table) => {
        const original = new Fingerprinter(table.columns)
        original.add(batchOf(table))
        const { file, settings } = await write(table, source)
        const retype = (plan: ImportPlan): ImportPlan => typed(plan, table)
        const request = { format: source, settings }
        const { result, files } = await convert(file, target, defaultOptions(target), retype, request)
        expect(result.rejected).toEqual([])
        const found = new Fingerprinter(table.columns)
        const columns = table.columns.map(({ name, type }, index) => ({ index, source: name, type }))
        const back = (await write(table, target, false)).settings
        const sheet = target === 'xlsx' ? 'table' : null
        const reading = { format: target, settings: back, table: sheet, columns }
        for await (const { batch } of readTable(files[0], reading, QUIET)) found.add(batch)
        expect(compareFingerprints(original.finish(), found.finish())).toEqual([])
      }),
      { numRuns: 6 },
    )
  })
})
