import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { inspect, readAll } from './testing.ts'

/* Logs that name their fields in a line that begins with #Fields, and headers in the middle of a file. */

const IIS = `#Software: Microsoft Internet Information Services 10.0
#Version: 1.0
#Date: 2024-01-05 00:00:01
#Fields: date time s-ip cs-uri-stem sc-status cs(User-Agent)
2024-01-05 00:00:01 10.0.0.4 /index.html 200 Mozilla/5.0+(Windows+NT+10.0)
2024-01-05 00:00:03 10.0.0.4 /a 404 curl/8.4.0
#Software: Microsoft Internet Information Services 10.0
#Date: 2024-01-05 01:00:00
#Fields: date time s-ip cs-uri-stem sc-status cs(User-Agent)
2024-01-05 01:00:03 10.0.0.4 /favicon.ico 304 -
`

describe('A log that names its fields', () => {
  it('is read by these names, without remarks and headers between its rows', async () => {
    const inspection = await inspect(IIS)
    const [{ columns, rejectedCount }] = inspection.tables
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['date', 'DATE'],
      ['time', 'TIME'],
      ['s-ip', 'VARCHAR'],
      ['cs-uri-stem', 'VARCHAR'],
      ['sc-status', 'INTEGER'],
      ['cs(User-Agent)', 'VARCHAR'],
    ])
    expect(rejectedCount).toBe(0)
    expect(inspection.notes.map(({ message }) => message)).toEqual([
      'The first 3 lines are not part of the table and skipped.',
      '2 lines that begin with “#” are comments and not read.',
      '1 line repeats the header, and is left out: line 9, “#Fields: date time s-ip cs-uri-stem sc-status cs(User-Agent)”.',
    ])
    const { rows, rejected } = await readAll(IIS, inspection)
    expect([rows.length, rejected, rows[2][3]]).toEqual([3, [], '/favicon.ico'])
  })

  it('may be split at tabs, though the names are not', async () => {
    const text =
      '#Version: 1.0\n#Fields: date time sc-bytes c-ip\n2024-01-05\t00:00:01\t2390\t203.0.113.7\n2024-01-05\t00:00:02\t390\t203.0.113.8\n'
    const [{ columns, rows }] = (await inspect(text)).tables
    expect([rows, columns.map(({ name, type }) => `${name} ${type}`)]).toEqual([
      2,
      ['date DATE', 'time TIME', 'sc-bytes INTEGER', 'c-ip VARCHAR'],
    ])
  })

  it('may be Zeek’s, whose values stay below their names', async () => {
    const text =
      '#separator \\x09\n#fields\tts\tuid\tid.orig_p\n#types\ttime\tstring\tport\n1704412801.123456\tCabc1\t51234\n1704412805.654321\t"Cabc2\t51235\n#close\t2024-01-05\n'
    const inspection = await inspect(text)
    const { rows } = await readAll(text, inspection)
    expect(inspection.tables[0].columns.map(({ name }) => name)).toEqual(['ts', 'uid', 'id.orig_p'])
    expect(rows).toEqual([
      ['1704412801.123456', 'Cabc1', '51234'],
      ['1704412805.654321', '"Cabc2', '51235'],
    ])
  })

  it('rejects the rows after a line with other fields, for they mean something else', async () => {
    const text = `${IIS.replace(/(?<=01:00:00\n#Fields: )date time/, 'time date')}${IIS}`
    const inspection = await inspect(text, (await inspect(IIS)).settings as CsvSettings)
    const [{ rows, rejectedCount, rejected }] = inspection.tables
    expect([rows, rejectedCount]).toEqual([5, 2])
    expect(rejected.map(({ line, message }) => [line, message])).toEqual([
      [9, 'The #Fields line above it names other fields.'],
      [10, 'The #Fields line above it names other fields.'],
    ])
    expect((await readAll(text, inspection)).rows).toHaveLength(5)
  })

  it('names its first field without what the line begins with, though no blank is between them', async () => {
    const { tables } = await inspect('#Fields:a b\n1 x\n2 y\n3 z\n')
    expect(tables[0].columns.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('is no log where its rows have other fields', async () => {
    const { settings } = await inspect('#Fields: a b\n1,2,3\n4,5,6\n')
    expect((settings as CsvSettings).comment).toBeNull()
  })
})

describe('Headers in the middle of a file', () => {
  const text = 'id,name,amount\n1,Anna,10.50\nid,name,amount\n2,Ben,20.00\nid,name,amount\n3,Cleo,7.25\n'

  it('are proposed to be left out', async () => {
    const inspection = await inspect(text)
    const [{ proposals = [], rows }] = inspection.tables
    expect([rows, proposals.map(({ label, message }) => [label, message])]).toEqual([
      5,
      [['Apply: leave out 2 repeated headers', '2 rows repeat the header; the first is line 3, “id,name,amount”.']],
    ])
    const again = await inspect(text, { kind: 'csv', repeatedHeaders: 'leave-out' })
    expect(again.tables[0].columns.map(({ type }) => type)).toEqual(['INTEGER', 'VARCHAR', 'DECIMAL(4,2)'])
    expect(again.tables[0].proposals).toBeUndefined()
    expect(again.notes.map(({ code, count }) => [code, count])).toEqual([['repeated-headers', 2]])
    expect((await readAll(text, again)).rows.map(([id]) => id)).toEqual(['1', '2', '3'])
  })

  it('may be values in a file of one column: that is only said', async () => {
    const [{ proposals }] = (await inspect('name\nAnna\nname\nBen\n')).tables
    expect(proposals).toMatchObject([{ code: 'repeated-headers', ambiguous: true }])
  })
})

describe('A header that begins as remarks do', () => {
  it('loses its mark, where that is a word of its own among blanks', async () => {
    const text = '# made by a simulation with 4 steps\n# time temp humidity\n0.0 21.5 40\n0.5 21.7 41\n1.0 22.0 41\n'
    const inspection = await inspect(text)
    expect(inspection.tables[0].columns.map(({ name, type }) => [name, type])).toEqual([
      ['time', 'DECIMAL(2,1)'],
      ['temp', 'DECIMAL(3,1)'],
      ['humidity', 'INTEGER'],
    ])
    expect(inspection.notes.map(({ code }) => code)).toContain('header-mark')
    const { rows } = await readAll(text, inspection)
    expect(rows).toEqual([
      ['0.0', '21.5', '40'],
      ['0.5', '21.7', '41'],
      ['1.0', '22.0', '41'],
    ])
  })

  it('keeps a mark that is part of a name, and the name without it is proposed', async () => {
    const inspection = await inspect('##fileformat=VCFv4.2\n#CHROM\tPOS\tID\n20\t14370\trs6054257\n20\t17330\t.\n')
    const [first, ...others] = inspection.tables[0].columns
    expect(first).toMatchObject({
      name: '#CHROM',
      proposals: [{ code: 'header-mark', change: { kind: 'column', patch: { name: 'CHROM' } } }],
    })
    expect(others.map(({ name }) => name)).toEqual(['POS', 'ID'])
  })

  it('has remarks with as many words as rows between its blocks', async () => {
    const text = '# x y z\n# block one\n0 0 1.5\n0 1 2.5\n\n\n# block two\n1 0 4.5\n1  1  5.5\n'
    const inspection = await inspect(text)
    const { rows, rejected } = await readAll(text, inspection)
    expect(rejected).toEqual([])
    expect(rows).toEqual([
      ['0', '0', '1.5'],
      ['0', '1', '2.5'],
      ['1', '0', '4.5'],
      ['1', '1', '5.5'],
    ])
    expect(inspection.notes).toContainEqual(expect.objectContaining({ code: 'comments', count: 3 }))
  })
})

it('A log whose only colons are in times of day and after programs’ names isn’t split at these', async () => {
  const text =
    'Mar  3 06:25:41 web1 sshd[812]: Failed\nMar  3 06:25:44 web1 sshd[812]: Closed\nMar  3 06:26:01 web1 CRON[9]: Opened\n'
  const { settings, tables } = await inspect(text)
  expect((settings as CsvSettings).delimiter).not.toBe(':')
  expect(tables[0].columns.map(({ type }) => type)).not.toContain('DATE')
})
