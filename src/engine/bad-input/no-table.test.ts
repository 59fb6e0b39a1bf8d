import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeZip, type ZipPart } from '../formats/xlsx/testing/read.ts'
import { carried, fileOf, jsonRows, noise, refusal, TARGETS } from '../testing/bad-input.ts'

/* Files without a table, or with a table in another format than their name says. */

const EXTENSIONS = 'csv tsv txt json ndjson xlsx xls parquet arrow feather csv.gz json.gz'.split(' ')
const fixture = (path: string): Uint8Array => readFileSync(new URL(path, import.meta.url))
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'

function office(main: string): Uint8Array {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
  const parts: ZipPart[] = [
    { name: '[Content_Types].xml', data: '<Types/>' },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${RELATIONS}"><Relationship Id="a" Type="${type}" Target="${main}"/></Relationships>`,
    },
    { name: main, data: 'x' },
  ]
  return makeZip(parts)
}

describe('a file is refused as empty if it has', () => {
  it.each(EXTENSIONS)('no bytes (.%s)', async (extension) => {
    expect(await refusal(fileOf(`e.${extension}`))).toMatchObject({ code: 'empty-file' })
  })

  it.each([
    ['no bytes in gzip', 'e.csv.gz', gzipSync('')],
    ['a byte order mark', 'e.csv', '\ufeff'],
    ['blank lines', 'e.csv', '\n\n\r\n\n'],
    ['one line end', 'e.csv', '\r'],
    ['blanks', 'e.csv', '   \n  '],
    ['blanks as JSON', 'e.json', ' \n '],
    ['an empty list', 'e.json', '[]'],
    ['an empty object', 'e.json', '{}'],
    ['empty objects', 'e.ndjson', '{}\n{}\n'],
  ])('only %s', async (_, name, content) => {
    expect(await refusal(fileOf(name, content))).toMatchObject({ code: 'empty-file' })
  })
})

describe('a header without rows', () => {
  it.each(TARGETS)('becomes an empty table in %s', async (target) => {
    for (const content of ['a,b,c\n', 'a,b,c', '\ufeffa,b,c\r\n']) {
      const { receipt } = await carried(fileOf('h.csv', content), 0, { target })
      expect(receipt.found.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    }
  })

  it.each(['x', 'xy', '\ufeffx'])('may be one short name (%j)', async (content) => {
    const { receipt } = await carried(fileOf('h.csv', content), 0)
    expect(receipt.found.columns.map(({ name }) => name)).toEqual([content.replace('\ufeff', '')])
  })

  it('isn’t read from a single number', async () => {
    expect(await jsonRows(await carried(fileOf('h.csv', '7'), 1))).toEqual([{ column_1: 7 }])
  })
})

describe('arbitrary bytes', () => {
  it.each(EXTENSIONS)('are refused (.%s)', async (extension) => {
    const { code, message } = await refusal(fileOf(`b.${extension}`, noise(20_000)))
    expect(['not-text', 'unsupported-format']).toContain(code)
    expect(message).toContain(`“b.${extension}”`)
  })

  it('are refused as not being what the file’s name says', async () => {
    expect((await refusal(fileOf('b.parquet', noise(20_000)))).message).toContain('neither a Parquet file')
    expect((await refusal(fileOf('b.xlsx', noise(20_000)))).message).toContain('neither an Excel workbook')
  })

  it('that are all zero are refused as not text', async () => {
    for (const name of ['z.csv', 'z.json', 'z.ndjson', 'z.txt']) {
      expect(await refusal(fileOf(name, new Uint8Array(10_000)))).toMatchObject({ code: 'not-text' })
    }
  })
})

const NAMED: readonly [what: RegExp, name: string, content: string | Uint8Array][] = [
  [/PDF/, 'd.csv', '%PDF-1.4\n%âãÏÓ\n1 0 obj'],
  [/PNG/, 'd.json', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3)],
  [/web page/, 'd.xls', '<table><tr><td>1</td></tr></table>'],
  [/web page/, 'd.xls', '\ufeff\n<html xmlns:o="urn:schemas-microsoft-com:office:office"><body/></html>'],
  [/web page/, 'd.xls', '<!-- made by x -->\n<table><tr><td>1</td></tr></table>'],
  [/web page/, 'd.xls', '<meta http-equiv="Content-Type" content="text/html"><table><tr><td>1</td></tr></table>'],
  [/web page/, 'd.csv', '<!DOCTYPE html>\n<title>502 Bad Gateway</title>'],
  [/web page/, 'd.json', '<html><body>error 500</body></html>'],
  [
    /SYLK spreadsheet/,
    'd.slk',
    'ID;PWXL;N;E\r\nP;PGeneral\r\nB;Y2;X1\r\nC;Y1;X1;K"Name"\r\nF;P1\r\nC;Y2;K"Ann"\r\nE\r\n',
  ],
  [/SYLK spreadsheet/, 'd.csv', 'ID;PSCALC3\nC;X1;Y1;K1\nE\n'],
  [
    /DIF spreadsheet/,
    'd.dif',
    'TABLE\r\n0,1\r\n"EXCEL"\r\nVECTORS\r\n0,1\r\n""\r\nDATA\r\n0,0\r\n""\r\n-1,0\r\nEOD\r\n',
  ],
  [/a line for each value/, 'd.txt', 'Row 1:\n──────\nid:   1\nname: Ann\n\nRow 2:\n──────\nid:   2\nname: Bob\n'],
  [/a line for each value/, 'd.txt', '-[ RECORD 1 ]-----\nid   | 1\nname | Ann\n-[ RECORD 2 ]-----\n'],
  [/a line for each value/, 'd.csv', `${'*'.repeat(27)} 1. row ${'*'.repeat(27)}\r\n  id: 1\r\nname: Ann\r\n`],
  [
    /sparse ARFF/,
    'd.arff',
    '% words\n@RELATION w\n@attribute a numeric\n@attribute b numeric\n@DATA\n\n{0 1, 1 2}\n{}\n{1 3}\n',
  ],
  [/SQL statements/, 'd.sql', 'SELECT 1'],
  [/SQL statements/, 'd.txt', "INSERT INTO t (id, name) VALUES (1, 'a'), (2, 'b');\n"],
  [/SQL statements/, 'd.txt', "(1,'a (x), ''b'''),(2,'b')"],
  [/SQL statements/, 'd.txt', "VALUES\n(1, 'a'),\n(2, 'b')\n"],
  [
    /SQL statements/,
    'd.txt',
    '-- MySQL dump 10.13  Distrib 8.0\n/*!40101 SET NAMES utf8 */;\n\nDROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (\n  `id` int\n);\n',
  ],
  [
    /SQL statements/,
    'd.dump',
    '--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\nSET lock_timeout = 0;\n',
  ],
  [/SQL statements/, 'd.txt.gz', gzipSync('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n')],
  [/web archive/, 'd.xls', 'MIME-Version: 1.0\nX-Document-Type: Workbook\nContent-Type: multipart/related\n\n'],
  [/XML/, 'd.csv', '<?xml version="1.0"?><rows/>'],
  [/XML/, 'd.xml', '<rows n="1">\n  <row><a>1</a></row>\n</rows>\n'],
  [/contacts/, 'd.vcf', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n'],
  [/calendar/, 'd.ics', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'],
  [/JavaScript/, 'tweets.js', 'window.YTD.tweets.part0 = [\n  {\n    "tweet" : { "id" : "1" }\n  }\n]'],
  [/JSONP/, 'd.json', 'callback([{"a":1},{"a":2}]);'],
  [/tar archive/, 'd.csv', `x.csv${'\0'.repeat(252)}ustar\0${'\0'.repeat(500)}`],
  [/tar archive/, 'd.tar.gz', gzipSync(`x.csv${'\0'.repeat(252)}ustar\0${'\0'.repeat(500)}`)],
  [/gzip archive of another archive/, 'd.csv.gz', gzipSync(gzipSync('a,b\n1,2\n'))],
  [/gzip archive of a Parquet file/, 'd.parquet.gz', gzipSync(fixture('../fixtures/pairs/table.parquet'))],
  [/zip archive/, 'd.zip', makeZip([{ name: 'a.csv', data: 'a,b\n1,2\n' }])],
  [/Word document/, 'd.xlsx', office('word/document.xml')],
  [/OpenDocument file that isn’t a spreadsheet/, 'd.ods', makeZip([{ name: 'content.xml', data: '<x/>' }])],
]

describe('a file of another kind is refused by the name of its kind', () => {
  it.each(NAMED)('%s (%s)', async (what, name, content) => {
    const error = await refusal(fileOf(name, content))
    expect(error.message).toMatch(what)
    expect(error.code).toBe('unsupported-format')
  })

  it('a workbook with a password', async () => {
    const error = await refusal(fileOf('p.xlsx', fixture('../formats/xlsx/fixtures/password.xlsx')))
    expect(error).toMatchObject({ code: 'password-protected', remedy: expect.stringContaining('password') as string })
  })
})

describe('a table that looks or is named like something else is read', () => {
  it.each([
    ['CSV that begins like SYLK', 'd.csv', 'ID;Preis\nC;5\nF;6\nB;7\n', 3],
    ['CSV whose rows begin like records of SYLK', 'd.slk', 'ID;P;Q\nC;X1;1\nF;X2;2\n', 2],
    ['CSV with a column TABLE', 'd.csv', 'TABLE\n0,1\n"x"\n', 2],
    ['CSV that begins like SQL statements', 'd.csv', 'insert into,values\nset a = 1,2\ncreate table,3\n', 2],
    ['CSV whose header looks like SET', 'd.csv', 'set size = 4;price\n1;2\n', 1],
    ['CSV of numbers in parentheses', 'd.csv', '(1),(2)\n(3),(4)\n(5),(6)\n', 3],
    ['CSV that begins like one line per value', 'd.csv', 'Row 1:,x\n──,y\nz,1\n', 2],
    ['CSV after a line that looks like an SQL comment', 'd.csv', '-- a, b\nset,drop table x\n1,2\n', 2],
    ['CSV with formulas and brackets', 'd.csv', 'f(x),a.b = [c]\n<a> <b>,(1)\n', 1],
    ['CSV as .xlsx', 'd.xlsx', 'a,b\n1,2\n', 1],
    ['CSV as .parquet', 'd.parquet', 'a,b\n1,2\n', 1],
    ['tabs as .xls', 'd.xls', 'a\tb\n1\t2\n', 1],
    ['JSON as .csv', 'd.csv', '[{"a":1,"b":2}]', 1],
    ['Parquet as .csv', 'd.csv', fixture('../fixtures/pairs/table.parquet'), 5],
    ['a workbook as .csv', 'd.csv', fixture('../fixtures/pairs/table.xlsx'), 5],
    ['an old workbook as .xlsx', 'd.xlsx', fixture('../../../e2e/fixtures/customers.xls'), 500],
    ['gzip as .csv', 'd.csv', gzipSync('a,b\n1,2\n'), 1],
  ])('%s', async (_, name, content, rows) => {
    await carried(fileOf(name, content), rows)
  })
})
