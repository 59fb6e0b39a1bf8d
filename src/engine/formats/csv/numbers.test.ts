import { describe, expect, test } from 'vitest'
import type { CsvSettings, NumberStyle } from '../../../tables/settings.ts'
import { parseType } from '../../../tables/types.ts'
import { inspect, readAll } from './testing.ts'
import { planFrom } from '../../../tables/edits.ts'

const FILE = 'a;b\n1.234;1,234\n5.678;5,678\n'

describe('how numbers look, as the person says', () => {
  test.each<[NumberStyle, string[], string[]]>([
    ['1,234.56', ['DECIMAL(4,3)', 'INTEGER'], ['1.234', '1234']],
    ['1.234,56', ['INTEGER', 'DECIMAL(4,3)'], ['1234', '1.234']],
  ])('%s', async (numbers, types, first) => {
    const inspection = await inspect(FILE, { numbers })
    expect(inspection.settings).toMatchObject({ numbers })
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual(types)
    expect((await readAll(FILE, inspection)).rows[0]).toEqual(first)
    // The complete settings that were found must give the same result.
    const again = await inspect(FILE, inspection.settings as CsvSettings)
    expect(planFrom(again)).toEqual(planFrom(inspection))
  })

  test('unsaid, where both marks fit, it’s asked', async () => {
    const { tables, settings } = await inspect(FILE)
    expect(settings).not.toHaveProperty('numbers')
    expect(tables[0].columns.map(({ type }) => type)).toEqual(['VARCHAR', 'VARCHAR'])
  })
})

test('quoted empty fields among amounts are null once that is applied', async () => {
  const text = '"Text";"Soll";"Haben"\n"Miete";"1.250,00";""\n"Gehalt";"";"3.412,77"\n"";"17,05";""\n'
  const inspection = await inspect(text)
  const [{ columns }] = inspection.tables
  expect(columns.map(({ proposals = [] }) => proposals.map(({ label }) => label))).toEqual([
    [],
    ['Apply: empty text is null, numbers'],
    ['Apply: empty text is null, numbers'],
  ])
  const applied = columns.map(({ index, source, type, proposals: [proposal] = [] }) => {
    const patch = proposal?.change.kind === 'column' ? proposal.change.patch : {}
    return { index, source, type: parseType(patch.type ?? type), format: patch.format }
  })
  const { rows, rejected } = await readAll(text, inspection, undefined, { columns: applied })
  expect([rows, rejected]).toEqual([
    [
      ['Miete', '1250.00', null],
      ['Gehalt', null, '3412.77'],
      ['', '17.05', null],
    ],
    [],
  ])
})

test('whole numbers that are all days, as SAP writes them, may be dates', async () => {
  const text = 'no;day;due\n10000012;20250401;20250230\n10000013;20240229;20250401\n99999999;19991231;20250402\n'
  const inspection = await inspect(text)
  const [{ columns }] = inspection.tables
  expect(columns.map(({ type }) => type)).toEqual(['INTEGER', 'INTEGER', 'INTEGER'])
  expect(columns.map(({ proposals = [] }) => proposals.length)).toEqual([0, 1, 0])
  const [, { index, source, proposals: [proposal] = [] }] = columns
  expect(proposal).toMatchObject({
    label: 'Apply: 2025-04-01',
    message: '3 values would become dates, such as “20250401”: 2025-04-01.',
    ambiguous: true,
    change: { kind: 'column', patch: { type: 'DATE', format: { dateFormat: '%Y%m%d' } } },
  })
  const applied = { index, source, type: parseType('DATE'), format: { dateFormat: '%Y%m%d' } }
  const { rows, rejected } = await readAll(text, inspection, undefined, { columns: [applied] })
  expect([rows, rejected]).toEqual([[['2025-04-01'], ['2024-02-29'], ['1999-12-31']], []])
})
