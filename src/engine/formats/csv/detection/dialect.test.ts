import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../../tables/plan.ts'
import { detectDialect } from './dialect.ts'

const detect = (text: string, given: Partial<CsvSettings> = {}, format: 'csv' | 'tsv' = 'csv') =>
  detectDialect(new TextEncoder().encode(text), format, given).dialect
const RFC = { delimiter: ',', quote: '"', escape: '"', comment: null, skipLines: 0, header: true }

describe('delimiters', () => {
  it.each<[string, string, string]>([
    ['commas', ',', 'id,name,price\n1,Apple,1.5\n2,Pear,2\n'],
    ['semicolons beside decimal commas', ';', 'id;name;price\n1;Apple;1,50\n2;Pear;2,25\n'],
    ['semicolons beside thousands', ';', 'a;b\n1,000;2,000\n3,000;4,000\n'],
    ['tabs beside commas in text', '\t', 'id\tname\n1\tMüller, Hans\n2\tMaier, Eva\n'],
    ['pipes', '|', 'id|when|what\n1|2024-01-01 10:00:00|a, b; c\n2|2024-01-02 11:00:00|d\n'],
    ['colons', ':', 'root:x:0:0\ndaemon:x:1:1\nbin:x:2:2\n'],
    ['commas beside times', ',', 'at,n\n10:00:00,1\n11:30:00,2\n'],
    ['commas beside timestamps', ',', 'at,n\n2024-01-01 10:00:00,1\n2024-01-02 11:30:00,2\n'],
    ['spaces', ' ', 'x y z\n1 2 3\n4 5 6\n7 8 9\n'],
    ['commas beside many words', ',', 'id,text\n1,the quick brown fox\n2,jumps over it\n3,a lazy dog\n'],
    ['commas in quotes', ';', 'a;b\n"x,y,z";"1,2"\n"u,v,w";"3,4"\n'],
    ['carets', '^', 'a^b\n1^2\n3^4\n'],
    ['units of a data terminal', '\u001f', 'a\u001fb\n1\u001f2\n'],
    ['nothing', ',', 'name\nAnna\nBob\n'],
    ['one column of dates', ',', 'day\n2024-01-01\n2024-01-02\n'],
    ['one column of times', ',', 'at\n10:00:00\n11:00:00\n12:30:00\n'],
    ['one column of links', ',', 'url\nhttps://a.example/x?y=1\nhttps://b.example/z\n'],
    ['a ragged file', ',', 'a,b,c\n1,2\n4,5,6\n7,8,9,10\n'],
    ['a single row', ',', 'a,b,c\n'],
  ])('tells %s', (_, delimiter, text) => {
    expect(detect(text).delimiter).toBe(delimiter)
  })

  it('takes content over the name', () => {
    expect(detect('a,b\n1,2\n', {}, 'tsv').delimiter).toBe(',')
    expect(detect('a\tb\n1\t2\n', {}, 'csv').delimiter).toBe('\t')
    expect(detect('a\n1\n', {}, 'tsv').delimiter).toBe('\t')
  })
})

describe('quotes and escapes', () => {
  it('finds them', () => {
    expect(detect('a,b\n"x ""y""","1"\n')).toMatchObject(RFC)
    expect(detect('a,b\n"x \\"y\\", z","1"\n"u","2"\n')).toMatchObject({ ...RFC, escape: '\\' })
    expect(detect("a,b\n'x, y','1'\n'z, u','2'\n")).toMatchObject({ ...RFC, quote: "'", escape: "'" })
    expect(detect("a,b\nit's,don't\nshe's,won't\n")).toMatchObject(RFC)
  })

  it('lets quotes be text where they close nothing', () => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i}\t"inch ${i}\t5\n`)
    expect(detect(`n\tsize\tlong\n${rows.join('')}`)).toMatchObject({ delimiter: '\t', quote: null, escape: null })
    expect(detect('a,b\n1,"x\n2,y\n3,z\n4,"u"\n')).toMatchObject(RFC)
  })
})

describe('preamble, comments and header', () => {
  it.each<[string, Partial<CsvSettings>, string]>([
    ['a title', { skipLines: 1, header: true }, 'Sales 2024\na,b,c\n1,2,3\n4,5,6\n'],
    ['a title with a comma', { skipLines: 1 }, 'Sales, all regions\na,b,c,d\n1,2,3,4\n4,5,6,7\n'],
    ['a title, padded', { skipLines: 2 }, 'Sales,,,\n,,,\na,b,c,d\n1,2,3,4\n4,5,6,7\n'],
    ['comments above', { skipLines: 2, comment: null }, '# made by x\n# on Monday\na,b\n1,2\n#3,4\n'],
    ['comments in the middle', { skipLines: 0, comment: '#' }, '# made by x\na,b\n1,2\n# three\n3,4\n'],
    ['slashes in the middle', { comment: '//' }, 'a,b\n1,2\n// three\n3,4\n'],
    ['a header that begins with #', { skipLines: 0, comment: null, header: true }, '#id,name\n1,a\n2,b\n'],
    ['rows that begin with #', { comment: null }, 'tag,n\n#a,1\n#b,2\nc,3\n'],
    ['no header: numbers', { header: false }, '1,2\n3,4\n'],
    ['no header: a value comes again', { header: false }, 'red,round\nblue,round\nred,flat\n'],
    ['no header: dates', { header: false }, '2024-01-01,a\n2024-01-02,b\n'],
    ['a header over text', { header: true }, 'city,country\nParis,France\nRome,Italy\n'],
    ['years as names', { header: true }, 'country,2019,2020,2021\nFrance,1,2,3\nItaly,4,5,6\n'],
    [
      'years as names, with blanks after them, above values with flags',
      { header: true, skipLines: 0 },
      'unit,geo\\time\t2021 \t2022 \t2023 \nPC,DE\t1.5 \t: \t2.3 b\nPC,FR\t2.0 e\t3.1 \t: \nPC,IT\t0.9 \t1.1 p\t1.4 \n',
    ],
    ['years as values', { header: false }, 'a,2019,2020,2021\nb,2018,2019,2020\nc,2020,2021,2022\n'],
    ['a header alone', { header: true }, 'id,name,born\n'],
    ['a row alone', { header: false }, '1,2024-01-01,3.5\n'],
    ['a ragged header', { header: true, skipLines: 0 }, 'a,b,c\n1,2,3,4\n5,6,7,8\n'],
  ])('tells %s', (_, expected, text) => {
    expect(detect(text)).toMatchObject(expected)
  })
})

describe('what is given', () => {
  it('is taken as it is', () => {
    const text = 'a,b;c\n1,2;3\n'
    expect(detect(text, { delimiter: ';' }).delimiter).toBe(';')
    expect(detect(text, { header: false }).header).toBe(false)
    expect(detect(text, { quote: null, escape: null })).toMatchObject({ quote: null, escape: null })
    expect(detect(text, { skipLines: 1 }).skipLines).toBe(1)
    expect(detect('#a,b\n1,2\n', { comment: '#' }).comment).toBe('#')
    expect(detect('', { delimiter: '|' }).delimiter).toBe('|')
  })

  it('leaves blanks to the values where a given delimiter splits nothing', () => {
    expect(detect('H\n x \n y \n', { delimiter: ',' })).not.toHaveProperty('trim')
    expect(detect('a, b\n1, x\n2, y\n', { delimiter: ',' }).trim).toBe(true)
  })

  it('leaves no blank to the values between which there is an odd number of them', () => {
    const text = 'place  height  width\nNew York  12   7\nOslo  8  9\nSan Juan  7  11\nRome  5  6\n'
    expect(detect(text)).toMatchObject({ delimiter: '  ', mergeDelimiters: true, trim: true })
  })

  it('takes remarks for such though one above the table, with a blank line between, is written like a row', () => {
    const rows =
      '0..1F    ; Common # Cc\n20       ; Common # Zs\n\n# ====\n\n2B..2C   ; Latin # Sm\n2D       ; Latin # Sm\n'
    const text = `# Scripts\n# @missing: 0..10; Unknown\n\n# ====\n\n${rows}`
    expect(detect(text)).toMatchObject({ delimiter: ';', comment: '#', width: 2 })
    expect(detect(`#code;script\n# said\n${rows}`)).toMatchObject({ comment: null })
  })
})

describe('detection', () => {
  it('finds the dialect that a random table was written in', () => {
    const word = fc.constantFrom('Anna', 'New York', 'x', 'Köln', 'e-mail', 'Smith & Co')
    const kinds = [
      word,
      fc.integer().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n.toFixed(2)),
      fc.constantFrom('2024-01-31', '2023-12-01'),
    ]
    const sample = fc
      .tuple(fc.constantFrom(',', ';', '\t', '|'), fc.array(fc.constantFrom(...kinds), { minLength: 2, maxLength: 6 }))
      .chain(([delimiter, columns]) =>
        fc.tuple(fc.constant(delimiter), fc.array(fc.tuple(...columns), { minLength: 3, maxLength: 20 }), fc.boolean()),
      )
    const property = fc.property(sample, ([delimiter, rows, quoteAll]) => {
      const header = rows[0].map((_, i) => `column${i}`)
      const cell = (text: string): string => (quoteAll ? `"${text}"` : text)
      const text = [header, ...rows].map((row) => `${row.map(cell).join(delimiter)}\r\n`).join('')
      expect(detect(text)).toMatchObject({ ...RFC, delimiter })
    })
    fc.assert(property, { numRuns: 300 })
  })
})
