import { describe, expect, test } from 'vitest'
import { applyProposals, compatible, openProposals } from '../../tables/proposals.ts'
import { applyEdits, NO_EDITS, planFrom } from '../../tables/edits.ts'
import type { Inspection, Proposal } from '../../tables/plan.ts'
import { parseType } from '../../tables/types.ts'
import { cellToString } from '../arrow/text.ts'
import { readerOf } from '../formats/registry.ts'
import { makeBook } from '../formats/xlsx/testing/read.ts'
import { QUIET } from '../testing/quiet.ts'

/** A date cell of a workbook. */
class Day {
  readonly iso: string
  constructor(iso: string) {
    this.iso = iso
  }
}
type Value = string | number | boolean | Day | null

function cellOf(value: Value, row: number): string {
  const at = `r="A${row}"`
  if (value === null) return ''
  if (value instanceof Day) return `<c ${at} t="d"><v>${value.iso}</v></c>`
  if (typeof value === 'number') return `<c ${at}><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c ${at} t="b"><v>${Number(value)}</v></c>`
  return `<c ${at} t="str"><v xml:space="preserve">${value}</v></c>`
}

/** A table of one column, in each format that distinguishes text from other values. */
const FILES = {
  xlsx: (values: readonly Value[]): File => {
    const rows = values.map((value, i) => `<row r="${i + 2}">${cellOf(value, i + 2)}</row>`)
    const header = `<row r="1">${cellOf('value', 1)}</row>`
    return makeBook({
      sheets: [`<?xml version="1.0"?><worksheet><sheetData>${header}${rows.join('')}</sheetData></worksheet>`],
    })
  },
  json: (values: readonly Value[]): File => {
    const rows = values.map((value) => ({ value: value instanceof Day ? value.iso : value }))
    return new File([JSON.stringify(rows)], 'table.json')
  },
}
type Format = keyof typeof FILES

const proposalsOf = ({ tables: [table] }: Inspection): readonly Proposal[] => table?.columns[0]?.proposals ?? []

/** The inspection of a file, and its column's values after applying a proposal. */
async function applied(format: Format, values: readonly Value[], at = 0) {
  const file = FILES[format](values)
  const reader = await readerOf(format)
  const inspection = await reader.inspect(file, {}, QUIET)
  const proposal = proposalsOf(inspection)[at]
  if (!proposal) throw new Error(`no proposal: ${JSON.stringify(inspection.tables[0]?.columns)}`)
  const { edits } = applyProposals(inspection, { request: {}, edits: NO_EDITS, applied: [] }, [
    { table: 0, column: 0, proposal },
  ])
  const [table] = applyEdits(inspection, edits).tables
  const columns = (table?.columns ?? []).map((column) => ({ ...column, type: parseType(column.type) }))
  const request = { settings: inspection.settings, table: table?.name ?? null, columns }
  const read: (string | null)[] = []
  const rejected: string[] = []
  for await (const batch of reader.read(file, request, QUIET)) {
    for (let row = 0; row < batch.batch.numRows; row++) {
      for (const [i, { type }] of columns.entries()) read.push(cellToString(type, batch.batch.data.children[i], row))
    }
    rejected.push(...batch.rejected.map(({ message }) => message))
  }
  expect(rejected).toEqual([])
  return { found: inspection.tables[0]?.columns[0]?.type, label: proposal.label, type: table?.columns[0]?.type, read }
}

describe.each(Object.keys(FILES) as Format[])('texts of %s that mean more', (format) => {
  test.each<[Value[], string, string, (string | null)[]]>([
    [['1.234,56 €', '-3,00 €'], 'Apply: 1234.56', 'DECIMAL(6,2)', ['1234.56', '-3.00']],
    [['(1,200.50)', '3.00'], 'Apply: -1200.50', 'DECIMAL(6,2)', ['-1200.50', '3.00']],
    [['12 %', '5 %'], 'Apply: 0.12', 'DECIMAL(3,2)', ['0.12', '0.05']],
    [['12.50', '7.25'], 'Apply: 12.50', 'DECIMAL(4,2)', ['12.50', '7.25']],
    [['ja', 'nein', null], 'Apply: “ja” is true, “nein” is false', 'BOOLEAN', ['true', 'false', null]],
    [['31.12.2024', '1.2.2025'], 'Apply: 2024-12-31', 'DATE', ['2024-12-31', '2025-02-01']],
    [['1700000000'], 'Apply: 1700000000', 'INTEGER', ['1700000000']],
    [['a', 'N/A'], 'Apply: “N/A” is null', 'VARCHAR', ['a', null]],
    [['="00123"', '="9"', null], 'Apply: 00123 instead of ="00123"', 'VARCHAR', ['00123', '9', null]],
    [["'02134", "'00501", null], "Apply: 02134 instead of '02134", 'VARCHAR', ['02134', '00501', null]],
    [
      ['1.5G', '12M', '0B'],
      'Apply: 1610612736 bytes (K is 1,024, M is 1,024 K)',
      'BIGINT',
      ['1610612736', '12582912', '0'],
    ],
    [[' a', 'b '], 'Apply: trim spaces', 'VARCHAR', ['a', 'b']],
    [[' 1,5', '#N/A', '2,5'], 'Apply: “#N/A” is null, trim spaces, numbers', 'DECIMAL(2,1)', ['1.5', null, '2.5']],
  ])('%j', async (values, label, type, read) => {
    expect(await applied(format, values)).toEqual({ found: 'VARCHAR', label, type, read })
  })

  test.each<[Value[], string, string, (string | null)[]]>([
    [[1.5, 'N/A', 2], 'Apply: “N/A” is null, numbers', 'DOUBLE', ['1.5', null, '2.0']],
    [[3, ' - ', 2], 'Apply: “-” is null, trim spaces, whole numbers', 'INTEGER', ['3', null, '2']],
    [[1200.5, '1,300.25', '7.50'], 'Apply: 1300.25', 'DOUBLE', ['1200.5', '1300.25', '7.5']],
    [[12, '$1,300.25'], 'Apply: 1300.25', 'DECIMAL(12,2)', ['12.00', '1300.25']],
    [[true, 'yes', 'no'], 'Apply: “yes” is true, “no” is false', 'BOOLEAN', ['true', 'true', 'false']],
  ])('among other values: %j', async (values, label, type, read) => {
    const found = format === 'json' ? 'JSON' : 'VARCHAR'
    expect(await applied(format, values)).toEqual({ found, label, type, read })
  })

  test('nothing where it could be read in two ways at once', async () => {
    const reader = await readerOf(format)
    for (const values of [
      [1.234, '1.234,56'],
      [1, 'abc'],
      [new Day('2024-01-01'), 5, 'N/A'],
    ]) {
      const inspection = await reader.inspect(FILES[format](values), {}, QUIET)
      expect(proposalsOf(inspection).map(({ label }) => label)).toEqual([])
    }
  })

  test('digits alone may be codes: they are not among all proposals', async () => {
    const reader = await readerOf(format)
    const inspection = await reader.inspect(FILES[format](['123', '456']), {}, QUIET)
    const open = openProposals(inspection, planFrom(inspection))
    expect(open.map(({ proposal }) => proposal.label)).toEqual(['Apply: 123'])
    expect(compatible(open)).toEqual([])
  })
})

test('dates of a workbook beside texts that are dates', async () => {
  expect(await applied('xlsx', [new Day('2024-01-31'), '1.2.2024', 'n/a'])).toEqual({
    found: 'VARCHAR',
    label: 'Apply: “n/a” is null, dates',
    type: 'DATE',
    read: ['2024-01-31', '2024-02-01', null],
  })
})

test('dates of JSON in ISO 8601 are dates, and nothing is proposed', async () => {
  const reader = await readerOf('json')
  const inspection = await reader.inspect(FILES.json(['2024-01-31', '2024-02-01']), {}, QUIET)
  expect(inspection.tables[0]?.columns).toMatchObject([{ type: 'DATE' }])
  expect(proposalsOf(inspection)).toEqual([])
})
