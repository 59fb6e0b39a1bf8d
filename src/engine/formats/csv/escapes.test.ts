import { PGlite } from '@electric-sql/pglite'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { pgliteFolder } from '../../../lib/testing/pglite.ts'
import { tries } from '../../../lib/testing.ts'
import { inspect, readAll } from './testing.ts'

/* Backslash escapes, as databases write them in text files. */

const ESCAPED = { kind: 'csv', delimiter: '\t', quote: null, escape: '\\', nullStrings: ['\\N'], header: true } as const

async function proposed(text: string) {
  const { tables } = await inspect(text)
  return tables[0].proposals?.find(({ code }) => code === 'backslash-escapes')
}

/** Reads a text after applying the proposal. */
async function applied(text: string) {
  const proposal = await proposed(text)
  if (proposal?.change.kind !== 'reading') throw new Error('Nothing is proposed.')
  const inspection = await inspect(text, proposal.change.settings as Partial<CsvSettings>)
  const { rows, rejected } = await readAll(text, inspection)
  return { proposal, inspection, rows, rejected }
}

describe('Backslash escapes', () => {
  it('are proposed for a file of ClickHouse’s, and read so', async () => {
    const text = 'id\tnote\tn\n1\tone\\ttwo\\nthree\t7\n2\tit\\\'s \\\\ "so"\t\\N\n3\t\t\\N\n'
    const { proposal, inspection, rows, rejected } = await applied(text)
    expect(proposal).toMatchObject({ label: 'Apply: read backslash escapes' })
    expect(proposal.message).toContain('The first is in line 2, “one\\ttwo\\nthree”.')
    expect(proposal).not.toHaveProperty('ambiguous')
    expect(rejected).toEqual([])
    expect(rows).toEqual([
      ['1', 'one\ttwo\nthree', '7'],
      ['2', 'it\'s \\ "so"', null],
      ['3', '', null],
    ])
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual(['INTEGER', 'VARCHAR', 'INTEGER'])
    expect(inspection.notes.map(({ code }) => code)).toContain('backslash-escapes')
    // It isn't proposed again.
    expect(inspection.tables[0].proposals ?? []).toEqual([])
  })

  it('make tabs and line breaks part of a value that follow a backslash, as MySQL writes them', async () => {
    const { rows, rejected } = await applied('1\ttwo\\\nlines\tx\n2\ta\\\tb\ty\n3\t\\N\tz\n4\tc\\\\\tw\n')
    expect(rejected).toEqual([])
    expect(rows).toEqual([
      ['1', 'two\nlines', 'x'],
      ['2', 'a\tb', 'y'],
      ['3', null, 'z'],
      ['4', 'c\\', 'w'],
    ])
  })

  it('aren’t proposed where any backslash is none of theirs, or texts are in quotes', async () => {
    expect(await proposed('path\tn\nC:\\new\\table\t1\nD:\\data\t2\n')).toBeUndefined()
    expect(await proposed('a,b\n"x\\ny",1\n"z",2\n')).toBeUndefined()
    expect(await proposed('a\tb\n\\N\t1\nx\t2\n')).toBeUndefined()
  })

  it('are left to the person where paths may have all of them', async () => {
    expect(await proposed('path\tn\nC:\\new\\table\t1\nC:\\temp\t2\n')).toMatchObject({ ambiguous: true })
  })

  it('come to what PostgreSQL has written', async () => {
    const postgres = await PGlite.create({ dataDir: await pgliteFolder() })
    await postgres.exec('CREATE TABLE t (id integer, a text, b text)')
    const value = fc.option(
      fc.string({ unit: fc.constantFrom('a', 'N', 'n', '\\', '\t', '\n', '\r', '"', "'", ' ', '\b', '\v', 'é', '😀') }),
      { nil: null },
    )
    const table = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(table, async (values) => {
        await postgres.exec('TRUNCATE t')
        const columns = [0, 1].map((column) => values.map((row) => row[column]))
        const ids = values.map((_, i) => i)
        await postgres.query('INSERT INTO t SELECT * FROM unnest($1::integer[], $2::text[], $3::text[])', [
          ids,
          ...columns,
        ])
        const { blob } = await postgres.query(`COPY (SELECT * FROM t ORDER BY id) TO '/dev/blob' WITH (HEADER)`)
        const text = (await blob?.text()) ?? ''
        const inspection = await inspect(text, ESCAPED)
        expect(inspection.tables[0].rejectedCount).toBe(0)
        const { rows } = await readAll(text, inspection)
        expect(rows.map(([, ...texts]) => texts)).toEqual(values)
      }),
      { numRuns: tries(100) },
    )
    await postgres.close()
  })
})
