import { describe, expect, test } from 'vitest'
import { inspect, makeBook, readRows } from '../testing/read.ts'

const FORMATS = ['General', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'hh:mm', '[h]:mm']
const STYLES =
  `<numFmts>${FORMATS.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code}"/>`).join('')}</numFmts>` +
  `<cellStyleXfs><xf numFmtId="201"/></cellStyleXfs>` +
  `<cellXfs>${FORMATS.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')}</cellXfs>` +
  `<dxfs><dxf><numFmt numFmtId="200" formatCode="yyyy"/></dxf></dxfs>`

const NO_HEADER = { kind: 'xlsx', headerRow: { S1: null } } as const

/** One cell, read as each of the types. */
async function cellAs(cell: string, ...types: string[]): Promise<(string | null)[]> {
  const file = makeBook({
    styles: STYLES,
    sheets: [`<row r="1">${cell}</row>`],
    strings: '<si><t>abc</t></si><si><t/></si>',
  })
  const results: (string | null)[] = []
  for (const type of types) {
    const { rows, rejected } = await readRows(file, { settings: NO_HEADER, types: [type] })
    results.push(rejected.length > 0 ? `rejected: ${rejected[0].value}` : (rows[0]?.[0] ?? null))
  }
  return results
}

describe('cells as the types asked for', () => {
  test.each<[string, readonly (readonly [type: string, expected: string | null])[]]>([
    [
      '<c><v>12</v></c>',
      [
        ['INTEGER', '12'],
        ['BIGINT', '12'],
        ['DOUBLE', '12.0'],
        ['DECIMAL(5,2)', '12.00'],
        ['VARCHAR', '12'],
        ['UTINYINT', '12'],
      ],
    ],
    ['<c><v> 12 </v></c>', [['INTEGER', '12']]],
    [
      '<c><v>12.0</v></c>',
      [
        ['INTEGER', '12'],
        ['VARCHAR', '12'],
      ],
    ],
    [
      '<c><v>1E+21</v></c>',
      [
        ['HUGEINT', '1000000000000000000000'],
        ['DOUBLE', '1e+21'],
        ['VARCHAR', '1e+21'],
        ['DECIMAL(30,1)', '1000000000000000000000.0'],
      ],
    ],
    [
      '<c><v>1.5E3</v></c>',
      [
        ['INTEGER', '1500'],
        ['VARCHAR', '1500'],
      ],
    ],
    [
      '<c><v>1.1000000000000001</v></c>',
      [
        ['DOUBLE', '1.1'],
        ['DECIMAL(9,2)', '1.10'],
        ['VARCHAR', '1.1'],
        ['INTEGER', 'rejected: 1.1'],
      ],
    ],
    [
      '<c><v>-0</v></c>',
      [
        ['DOUBLE', '-0.0'],
        ['INTEGER', '0'],
        ['VARCHAR', '-0'],
      ],
    ],
    [
      '<c><v>12345678901234567890</v></c>',
      [
        ['HUGEINT', '12345678901234567890'],
        ['VARCHAR', '12345678901234567890'],
        ['DOUBLE', '12345678901234567000.0'],
      ],
    ],
    [
      '<c><v>1e-7</v></c>',
      [
        ['DECIMAL(18,9)', '0.000000100'],
        ['DOUBLE', '1e-7'],
      ],
    ],
    [
      '<c t="s"><v>0</v></c>',
      [
        ['VARCHAR', 'abc'],
        ['INTEGER', 'rejected: abc'],
      ],
    ],
    [
      '<c t="s"><v>1</v></c>',
      [
        ['VARCHAR', ''],
        ['INTEGER', null],
        ['BLOB', ''],
      ],
    ],
    [
      '<c t="str"><v>007</v></c>',
      [
        ['VARCHAR', '007'],
        ['INTEGER', '7'],
        ['DECIMAL(5,2)', '7.00'],
      ],
    ],
    ['<c t="inlineStr"><is><t>123456789012345678901.5</t></is></c>', [['DECIMAL(30,2)', '123456789012345678901.50']]],
    ['<c t="inlineStr"><is><t>NaN</t></is></c>', [['DOUBLE', 'NaN']]],
    [
      '<c t="inlineStr"><is><t>aGk=</t></is></c>',
      [
        ['BLOB', 'aGk='],
        ['VARCHAR', 'aGk='],
      ],
    ],
    ['<c t="inlineStr"><is><t>[1,null]</t></is></c>', [['INTEGER[]', '[1,null]']]],
    ['<c t="inlineStr"><is><t>{"a":1}</t></is></c>', [['STRUCT(a INTEGER)', '{"a":1}']]],
    ['<c t="inlineStr"/>', [['VARCHAR', null]]],
    ['<c t="inlineStr"><is><t/></is></c>', [['VARCHAR', '']]],
    [
      '<c t="inlineStr"><is><r><t>rich </t></r><rPh sb="0" eb="1"><t>no</t></rPh><r><rPr><b/></rPr><t>text</t></r></is></c>',
      [['VARCHAR', 'rich text']],
    ],
    // Programs may also write a number for a text; the cell's type decides which one counts.
    ['<c t="inlineStr"><v>1.0</v><is><r><t>1.</t></r></is></c>', [['VARCHAR', '1.']]],
    ['<c t="inlineStr"><is><t>1.</t></is><v>1.0</v></c>', [['VARCHAR', '1.']]],
    ['<c t="inlineStr"><v>1.0</v><is/></c>', [['VARCHAR', '']]],
    ['<c t="inlineStr"><v>alone</v></c>', [['VARCHAR', 'alone']]],
    ['<c t="str"><v>1.0</v><is><t>1.</t></is></c>', [['VARCHAR', '1.0']]],
    ['<c t="str"><is><t>1.</t></is><v>1.0</v></c>', [['VARCHAR', '1.0']]],
    ['<c t="s"><v>0</v><is><t>1.</t></is></c>', [['VARCHAR', 'abc']]],
    ['<c t="n"><v>1.5</v><is><t>1.</t></is></c>', [['DOUBLE', '1.5']]],
    ['<c><is><t>untyped</t></is></c>', [['VARCHAR', 'untyped']]],
    [
      '<c t="str"><v>own</v><extLst><ext><v>1</v><c t="str"><v>other</v></c><is><t>x</t></is></ext></extLst></c>',
      [['VARCHAR', 'own']],
    ],
    [
      '<c t="b"><v>1</v></c>',
      [
        ['BOOLEAN', 'true'],
        ['VARCHAR', 'true'],
      ],
    ],
    ['<c t="b"><v>false</v></c>', [['BOOLEAN', 'false']]],
    [
      '<c t="e"><v>#N/A</v></c>',
      [
        ['VARCHAR', null],
        ['DOUBLE', null],
      ],
    ],
    [
      '<c><f>A2</f></c>',
      [
        ['VARCHAR', null],
        ['DOUBLE', null],
      ],
    ],
    [
      '<c t="str"><f>A2</f><v></v></c>',
      [
        ['VARCHAR', ''],
        ['DOUBLE', null],
      ],
    ],
    ['<c><f>1+1</f><v>2</v></c>', [['INTEGER', '2']]],
    [
      '<c s="1"><v>44197</v></c>',
      [
        ['DATE', '2021-01-01'],
        ['TIMESTAMP', '2021-01-01 00:00:00'],
        ['VARCHAR', '2021-01-01'],
        ['INTEGER', '44197'],
        ['TIMESTAMP WITH TIME ZONE', '2021-01-01 00:00:00+00'],
      ],
    ],
    [
      '<c s="1"><v>44197.5</v></c>',
      [
        ['DATE', 'rejected: 2021-01-01 12:00:00'],
        ['TIMESTAMP', '2021-01-01 12:00:00'],
        ['VARCHAR', '2021-01-01 12:00:00'],
        ['DOUBLE', '44197.5'],
      ],
    ],
    [
      '<c s="2"><v>44197</v></c>',
      [
        ['VARCHAR', '2021-01-01 00:00:00'],
        ['DATE', '2021-01-01'],
      ],
    ],
    [
      '<c s="3"><v>0.5</v></c>',
      [
        ['TIME', '12:00:00'],
        ['VARCHAR', '12:00:00'],
        ['INTERVAL', '12:00:00'],
      ],
    ],
    [
      '<c s="3"><v>1.5</v></c>',
      [
        ['VARCHAR', '1900-01-01 12:00:00'],
        ['TIME', 'rejected: 1900-01-01 12:00:00'],
        ['INTERVAL', '36:00:00'],
      ],
    ],
    [
      '<c s="4"><v>1.5</v></c>',
      [
        ['INTERVAL', '36:00:00'],
        ['VARCHAR', '36:00:00'],
      ],
    ],
    [
      '<c s="1"><v>60</v></c>',
      [
        ['VARCHAR', '1900-02-29'],
        ['DATE', 'rejected: 1900-02-29'],
      ],
    ],
    ['<c s="1"><v>99999999</v></c>', [['VARCHAR', '99999999']]],
    [
      '<c><v>44197</v></c>',
      [
        ['DATE', '2021-01-01'],
        ['TIMESTAMP', '2021-01-01 00:00:00'],
      ],
    ],
    [
      '<c t="d"><v>2021-01-01T08:00:00.5</v></c>',
      [
        ['TIMESTAMP', '2021-01-01 08:00:00.5'],
        ['VARCHAR', '2021-01-01 08:00:00.5'],
      ],
    ],
    [
      '<c t="d"><v>2021-01-01</v></c>',
      [
        ['DATE', '2021-01-01'],
        ['TIMESTAMP', '2021-01-01 00:00:00'],
      ],
    ],
    ['<c t="d"><v>08:00:00Z</v></c>', [['TIME', '08:00:00']]],
  ])('%s', async (cell, cases) => {
    expect(await cellAs(cell, ...cases.map(([type]) => type))).toEqual(cases.map(([, expected]) => expected))
  })
})

describe('units that only formats show', () => {
  const CODES = [
    '_-* #,##0.00\\ [$€-407]_-',
    '[$$-409]#,##0.00',
    '0.0&quot; kg&quot;',
    '0.00&quot; %&quot;',
    '#,##0,&quot; g&quot;',
    '0.0%',
    '[$-407]0&quot; Stück&quot;',
  ]
  const fmts = CODES.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code}"/>`).join('')
  const xfs = CODES.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')
  const table = async (...styles: readonly number[]) => {
    const sheet = styles.map((style) => `<row><c s="${style}"><v>1.5</v></c></row>`).join('')
    const book = makeBook({ styles: `<numFmts>${fmts}</numFmts><cellXfs><xf/>${xfs}</cellXfs>`, sheets: [sheet] })
    return (await inspect(book, NO_HEADER)).tables[0]
  }

  test.each([
    [[1, 1], 'shows € beside them'],
    [[2, 2], 'shows $ beside them'],
    [[3, 0, 0], 'shows kg beside 1 of the numbers'],
    [[4], 'shows % beside them'],
  ])('are named: %j', async (styles, said) => {
    const { columns, notes } = await table(...styles)
    expect(columns[0].reason).toContain(said)
    expect(notes).toEqual([])
  })

  test('aren’t if they scale the number, or aren’t known', async () => {
    for (const style of [5, 6, 7]) expect((await table(style)).columns[0].reason).not.toContain('shows')
  })

  test('are told if the column has several, as no number says which', async () => {
    const { columns, notes } = await table(1, 2, 1)
    expect(columns[0].reason).not.toContain('shows')
    expect(notes).toMatchObject([{ code: 'several-units', column: 'column_1' }])
    expect(notes[0].message).toContain('different units: € (2 cells), $ (1 cell).')
  })
})

describe('numbers shown as codes', () => {
  const book = (...cells: readonly string[]): File =>
    makeBook({
      styles:
        '<numFmts><numFmt numFmtId="200" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs>',
      sheets: [cells.map((cell) => `<row><c ${cell}</c></row>`).join('')],
    })
  const note = { code: 'shown-as-code', count: 1, column: 'column_1' }

  test('are text as shown, with a way back to the number', async () => {
    const file = book('s="1"><v>501</v>', 's="1"><v>90210.0</v>', '><v>12</v>')
    const [table] = (await inspect(file, NO_HEADER)).tables
    expect(table.columns[0]).toMatchObject({ type: 'VARCHAR', flags: ['shown-as-code'] })
    expect(table.columns[0].reason).toContain('such as 00501')
    expect(table.notes).toMatchObject([{ ...note, example: { from: '501', to: '00501' } }])
    expect((await readRows(file, { settings: NO_HEADER })).rows).toEqual([['00501'], ['90210'], ['12']])
    const { rows } = await readRows(file, { settings: NO_HEADER, types: ['INTEGER'] })
    expect(rows).toEqual([['501'], ['90210'], ['12']])
  })

  test('among texts are as shown too', async () => {
    const file = book('s="1"><v>501</v>', 't="str"><v>00502</v>')
    const [table] = (await inspect(file, NO_HEADER)).tables
    expect(table.columns[0]).toMatchObject({ type: 'VARCHAR', flags: ['mixed-types', 'shown-as-code'] })
    expect(table.notes).toMatchObject([note])
    expect((await readRows(file, { settings: NO_HEADER })).rows).toEqual([['00501'], ['00502']])
  })

  test.each([
    ['a few of many numbers', ['s="1"><v>501</v>', '><v>1</v>'], 'INTEGER'],
    ['padded fractions', ['s="1"><v>501</v>', 's="1"><v>1.5</v>'], 'DOUBLE'],
    ['padded numbers with signs', ['s="1"><v>501</v>', 's="1"><v>-1</v>'], 'INTEGER'],
  ])('%s stay numbers, and it’s said', async (_, cells, type) => {
    const [table] = (await inspect(book(...cells), NO_HEADER)).tables
    expect(table.columns[0]).toMatchObject({ type, flags: [] })
    expect(table.notes).toMatchObject([{ ...note, example: { from: '00501', to: '501' } }])
  })

  test('a format that changes none of them means nothing', async () => {
    const [table] = (await inspect(book('s="1"><v>12345</v>', 's="1"><v>99999</v>'), NO_HEADER)).tables
    expect(table).toMatchObject({ columns: [{ type: 'INTEGER', flags: [] }], notes: [] })
  })
})

test('white space at the ends of texts is read, and told where Excel shows none', async () => {
  const book = {
    strings:
      '<si><t> shared</t></si><si><t xml:space="preserve"> kept </t></si><si xml:space="preserve"><t> all </t></si>' +
      '<si><t> guide </t><rPh sb="0" eb="1"><t> </t></rPh></si>',
    sheets: [
      [
        '<c t="s"><v>0</v></c>',
        '<c t="s"><v>1</v></c>',
        '<c t="s"><v>2</v></c>',
        '<c t="s"><v>3</v></c>',
        '<c t="inlineStr"><is><t>inline\n</t></is></c>',
        '<c t="str"><v> value </v></c>',
        '<c t="str"><v xml:space="preserve"> value </v></c>',
        '<c t="str"><f>A1</f><v> formula </v></c>',
        '<c t="inlineStr"><v> beside </v><is><t>it</t></is></c>',
        '<c> <v> 5 </v> </c>',
      ].join(''),
    ].map((cells) => `<row>${cells}</row>`),
  }
  const file = makeBook(book)
  expect((await readRows(file, { settings: NO_HEADER })).rows).toEqual([
    [' shared', ' kept ', ' all ', ' guide ', 'inline\n', ' value ', ' value ', ' formula ', 'it', '5'],
  ])
  expect((await inspect(file, NO_HEADER)).notes).toMatchObject([{ code: 'outer-spaces', count: 4 }])
  // PhpSpreadsheet sets it once for the whole sheet.
  const sheet = `<?xml version="1.0"?><worksheet xml:space="preserve"><sheetData>${book.sheets[0]}</sheetData></worksheet>`
  const whole = await inspect(makeBook({ strings: book.strings, sheets: [sheet] }), NO_HEADER)
  expect(whole.notes).toMatchObject([{ code: 'outer-spaces', count: 2 }])
})

describe('types over all rows', () => {
  const cases: readonly [string, readonly string[], string, readonly string[]][] = [
    ['whole', ['<v>1</v>', '<v>-5</v>', '<v>3.0</v>'], 'INTEGER', []],
    ['beyond 32 bits', ['<v>1</v>', '<v>-2147483649</v>'], 'BIGINT', []],
    ['beyond doubles', ['<v>1</v>', '<v>9007199254740993</v>'], 'BIGINT', ['beyond-2-53']],
    ['beyond 64 bits', ['<v>12345678901234567890</v>'], 'HUGEINT', ['beyond-2-53']],
    ['fractions', ['<v>1</v>', '<v>1.5</v>'], 'DOUBLE', []],
    ['exponents', ['<v>1E+25</v>', '<v>1</v>'], 'DOUBLE', []],
    [
      'long whole numbers among fractions',
      ['<v>12345678901234567</v>', '<v>1.5</v>'],
      'VARCHAR',
      ['beyond-2-53', 'as-text'],
    ],
    ['dates', ['s="1"><v>1000</v>', 's="1"><v>2000</v>'], 'DATE', []],
    ['a date with a fraction', ['s="1"><v>1000</v>', 's="1"><v>2000.5</v>'], 'TIMESTAMP', []],
    ['midnights shown with the time', ['s="2"><v>1000</v>'], 'TIMESTAMP', []],
    ['times', ['s="3"><v>0.5</v>', 's="3"><v>0</v>'], 'TIME', []],
    ['times and durations', ['s="3"><v>0.5</v>', 's="4"><v>3</v>'], 'INTERVAL', []],
    ['durations', ['s="4"><v>0.5</v>'], 'INTERVAL', []],
    ['dates and numbers', ['s="1"><v>1000</v>', '<v>5</v>'], 'VARCHAR', ['mixed-types']],
    ['a day that never was', ['s="1"><v>60</v>', 's="1"><v>61</v>'], 'VARCHAR', ['mixed-types']],
    ['booleans', ['t="b"><v>1</v>'], 'BOOLEAN', []],
    ['booleans and numbers', ['t="b"><v>1</v>', '<v>1</v>'], 'VARCHAR', ['mixed-types']],
    ['numbers and empty texts', ['<v>1</v>', 't="str"><v></v>'], 'INTEGER', []],
    ['leading zeros', ['t="str"><v>007</v>', 't="str"><v>12</v>'], 'VARCHAR', ['leading-zeros']],
    ['nothing but errors', ['t="e"><v>#REF!</v>'], 'VARCHAR', ['empty']],
    ['ISO dates', ['t="d"><v>2020-01-01</v>'], 'DATE', []],
    ['ISO moments', ['t="d"><v>2020-01-01</v>', 't="d"><v>2020-01-01T01:02:03Z</v>'], 'TIMESTAMP', []],
  ]
  test.each(cases)('%s', async (_, values, type, flags) => {
    const rows = values.map((value) => `<row><c ${value.startsWith('<') ? `>${value}` : value}</c></row>`)
    const file = makeBook({ styles: STYLES, sheets: [rows.join('')] })
    const [table] = (await inspect(file, NO_HEADER)).tables
    expect(table.columns[0]).toMatchObject({ type, flags })
    expect(table.columns[0].reason).toMatch(/^[A-Z0-9].*\.$/)
    // The inferred types must hold, so that every row is read.
    const { rejected, rows: read } = await readRows(file, { settings: NO_HEADER })
    expect(rejected).toEqual([])
    expect(read.filter(([value]) => value === null).length).toBe(table.columns[0].nulls)
  })

  test.each([
    ['1.0', '-0', 'All 2 values are numbers that a double holds exactly.'],
    ['1.1000000000000001', '1E-05', 'All 2 values are numbers that a double holds exactly.'],
    ['0x1F', '1', '1 of 2 values is not a whole number, the first is “0x1F” in row 1.'],
    ['5', 't="s"', '1 of 2 values is not a whole number, the first is “7” in row 2.'],
    ['s="4"', 't="s"', '1 of 2 values is not a duration, the first is “7” in row 2.'],
    ['s="1"', 's="2"', 'All 2 values are timestamps.'],
    ['s="1"', 's="1"', 'All 2 values are dates.'],
    ['s="3"', 's="4"', 'All 2 values are durations.'],
    ['t="s"', 't="s"', 'The values are text, though all of them hold only digits.'],
  ])('%s and %s: %s', async (first, second, reason) => {
    const cell = (of: string): string => (of.includes('=') ? `<c ${of}><v>0</v></c>` : `<c><v>${of}</v></c>`)
    const file = makeBook({
      styles: STYLES,
      sheets: [`<row>${cell(first)}</row><row>${cell(second)}</row>`],
      strings: '<si><t>7</t></si>',
    })
    const [table] = (await inspect(file, NO_HEADER)).tables
    expect(table.columns[0].reason).toBe(reason)
  })

  test('a value of another kind in the last row counts', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `<row><c><v>${i}</v></c></row>`).join('')
    const file = makeBook({ sheets: [`<row><c t="str"><v>n</v></c></row>${rows}<row><c t="str"><v>x</v></c></row>`] })
    const [table] = (await inspect(file)).tables
    expect(table.columns[0]).toMatchObject({ type: 'VARCHAR', flags: ['mixed-types'] })
    expect(table.columns[0].reason).toBe('1 of 30,001 values is not a whole number, the first is “x” in row 30,002.')
  })
})
