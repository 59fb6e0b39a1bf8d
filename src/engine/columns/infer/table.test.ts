import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { ColumnInference } from './column-inference.ts'
import type { ColumnStats } from './column-stats.ts'
import { inferTable } from './table.ts'

const encoder = new TextEncoder()

function observed(values: readonly (string | null)[]): ColumnInference {
  const inference = new ColumnInference()
  for (const value of values) {
    const bytes = encoder.encode(value ?? '')
    if (value === null) inference.observeNull()
    else inference.observe(bytes, 0, bytes.length)
  }
  return inference
}

type Settings = Pick<CsvSettings, 'delimiter' | 'numbers'>

const conclude = (columns: readonly (readonly (string | null)[])[], settings: Settings = { delimiter: ';' }) =>
  inferTable(columns.map(observed), settings)

/** Each column's type, format, and the labels of what is proposed for it. */
const found = (columns: readonly (readonly (string | null)[])[], settings?: Settings) =>
  conclude(columns, settings).columns.map(({ type, format, proposals = [] }) => [
    printType(type),
    format ?? {},
    ...proposals.map(({ label, ambiguous }) => (ambiguous ? `${label} ?` : label)),
  ])

describe('what one column tells of another', () => {
  it('asks what a point means where nothing tells', () => {
    expect(found([['1.234', '5.678']])).toEqual([
      ['VARCHAR', {}, 'Apply: 1234 (point between thousands) ?', 'Apply: 1.234 (decimal point) ?'],
    ])
    expect(found([['1.234', '5.678']], { delimiter: ',' })).toEqual([['DECIMAL(4,3)', {}]])
  })

  it('takes a point as others have it', () => {
    const thousands = { decimalMark: ',', grouping: '.' }
    expect(found([['1.234'], ['1.234,56']])).toEqual([
      ['INTEGER', thousands],
      ['DECIMAL(6,2)', thousands],
    ])
    expect(found([['1.234'], ['0.5']])).toEqual([
      ['DECIMAL(4,3)', {}],
      ['DECIMAL(2,1)', {}],
    ])
    // Where no other has points between thousands, they may belong to codes.
    const [asked] = found([['10.201', '11.300'], ['1,50']])
    expect(asked).toEqual(['VARCHAR', {}, 'Apply: 10201 (point between thousands)'])
    expect(conclude([['10.201', '11.300'], ['1,50']]).columns[0].proposals?.[0].message).toBe(
      'Values such as “10.201” may be codes. As numbers, they would lose the point between thousands.',
    )
    for (const more of ['120', '9.300']) {
      expect(found([['10.201', more], ['1,50']])[0]).toEqual(['INTEGER', thousands])
    }
    // Where others differ, nothing tells.
    expect(found([['1.234'], ['0.5'], ['0,5']])[0]?.[0]).toBe('VARCHAR')
  })

  it('takes what the person says of numbers', () => {
    expect(found([['1.234']], { delimiter: ';', numbers: '1.234,56' })).toEqual([
      ['INTEGER', { decimalMark: ',', grouping: '.' }],
    ])
    expect(found([['1,234']], { delimiter: ',', numbers: '1,234.56' })).toEqual([['INTEGER', { grouping: ',' }]])
    expect(found([['1,234']], { delimiter: ';', numbers: '1 234,56' })).toEqual([
      ['DECIMAL(4,3)', { decimalMark: ',' }],
    ])
  })

  it('says how the numbers of the file look', () => {
    expect(conclude([['1.234,56']]).numbers).toBe('1.234,56')
    expect(conclude([['1 234,56'], ['7,5']]).numbers).toBe('1 234,56')
    expect(conclude([["1'234.56"]]).numbers).toBe("1'234.56")
    expect(conclude([['1.5']]).numbers).toBe('1,234.56')
    expect(conclude([['1.5'], ['1,5']]).numbers).toBeUndefined()
    expect(conclude([['a'], ['1.234']]).numbers).toBeUndefined()
  })

  it('takes the day or the month first as others have it, else asks', () => {
    expect(found([['03/04/2025']])).toEqual([
      ['VARCHAR', {}, 'Apply: 3 April 2025 (day first) ?', 'Apply: March 4, 2025 (month first) ?'],
    ])
    expect(found([['03/04/2025'], ['31/12/2025']])[0]).toEqual(['DATE', { dateFormat: '%d/%m/%Y' }])
    expect(found([['03/04/25 10:30'], ['12/31/2025']])[0]).toEqual(['TIMESTAMP', { dateFormat: '%m/%d/%y %H:%M' }])
    expect(found([['03/04/2025'], ['1,5']])[0]).toEqual(['DATE', { dateFormat: '%d/%m/%Y' }])
    expect(found([['03/04/2025'], ['12/31/2025'], ['31/12/2025']])[0]?.[0]).toBe('VARCHAR')
  })
})

describe('proposals', () => {
  it.each<[(string | null)[], ...unknown[]]>([
    [['1', '2', 'N/A'], 'VARCHAR', {}, 'Apply: “N/A” is null, whole numbers'],
    [['12', '---', '9'], 'VARCHAR', {}, 'Apply: “---” is null, whole numbers'],
    [['1,5', '-', 'N/A', '2,5'], 'VARCHAR', {}, 'Apply: “-”, “N/A” are null, numbers'],
    [['1,5', '', '', '2,5'], 'VARCHAR', {}, 'Apply: empty text is null, numbers'],
    [[...Array<string>(40).fill(''), '1.250,00', '17,05'], 'VARCHAR', {}, 'Apply: empty text is null, numbers'],
    [['01.04.2025', '', '30.04.2025'], 'VARCHAR', {}, 'Apply: empty text is null, dates'],
    [['ja', '', 'nein'], 'VARCHAR', {}, 'Apply: empty text is null, true or false'],
    [['1', '', 'N/A'], 'VARCHAR', {}, 'Apply: empty text, “N/A” are null, whole numbers'],
    [['a', '', 'b'], 'VARCHAR', {}],
    [['', ''], 'VARCHAR', {}],
    [['a', 'b', 'N/A'], 'VARCHAR', {}, 'Apply: “N/A” is null'],
    [['1', '#DIV/0!', '<NA>', 'k.A.'], 'VARCHAR', {}, 'Apply: “#DIV/0!”, “<NA>”, “k.A.” are null, whole numbers'],
    [['="00123"', '="00124"', ''], 'VARCHAR', {}, 'Apply: 00123 instead of ="00123"'],
    [['=""', '="00124"'], 'VARCHAR', {}, 'Apply: empty text instead of =""'],
    [[`="${'0'.repeat(80)}"`], 'VARCHAR', {}, `Apply: ${'0'.repeat(58)}… instead of ="${'0'.repeat(58)}…`],
    [['="a"b"', '=1+2', '="'], 'VARCHAR', {}],
    [["'02134", "'00501", null], 'VARCHAR', {}, "Apply: 02134 instead of '02134"],
    [["'+49 301", 'a', "'5"], 'VARCHAR', {}, "Apply: +49 301 instead of '+49 301"],
    [["'5"], 'VARCHAR', {}, "Apply: 5 instead of '5"],
    [["'5", 'a'], 'VARCHAR', {}],
    [["'98", "'90s", "'5'", "'tis", "'"], 'VARCHAR', {}],
    [['a', 'b', 'NA'], 'VARCHAR', {}, 'Apply: “NA” is null ?'],
    [[' 1', '2 '], 'VARCHAR', {}, 'Apply: trim spaces, whole numbers'],
    [[' a', 'b'], 'VARCHAR', {}, 'Apply: trim spaces'],
    [[' 1', 'NULL'], 'VARCHAR', {}, 'Apply: “NULL” is null, trim spaces, whole numbers'],
    [['0', '1'], 'INTEGER', {}, 'Apply: 1 is true, 0 is false ?'],
    [['t', 'F', 't'], 'VARCHAR', {}, 'Apply: “t” is true, “f” is false ?'],
    [['F', 'F', null], 'VARCHAR', {}],
    [['N', 'N'], 'VARCHAR', {}, 'Apply: “y” is true, “n” is false ?'],
    [['x', null], 'VARCHAR', {}, 'Apply: “x” is true, an empty value is false'],
    [['1712345678', '1700000000'], 'INTEGER', {}, 'Apply: 2024-04-05 19:34:38 (seconds since 1970) ?'],
    [['1900000001', '1700000000'], 'INTEGER', {}],
    [['1990000000000'], 'BIGINT', {}],
    [['1712345678901'], 'BIGINT', {}, 'Apply: 2024-04-05 19:34:38.901 (milliseconds since 1970) ?'],
    [['1712345678901234'], 'BIGINT', {}, 'Apply: 2024-04-05 19:34:38.901234 (microseconds since 1970) ?'],
    [['1712345678901234567'], 'BIGINT', {}, 'Apply: 2024-04-05 19:34:38.901234567 (nanoseconds since 1970) ?'],
    [['1712345678.901', '1712345679.5'], 'DOUBLE', {}, 'Apply: 2024-04-05 19:34:38.901 (seconds since 1970) ?'],
    [['1712345678.90', '1712345679.50'], 'DECIMAL(12,2)', {}],
    [['1712345678901', '1712345678901234'], 'BIGINT', {}],
    [['2024013123', '2024020100'], 'INTEGER', {}, 'Apply: 2024-01-31 23:00:00 ?'],
    [['1999123123'], 'INTEGER', {}, 'Apply: 1999-12-31 23:00:00 ?'],
    [['202401312359'], 'BIGINT', {}, 'Apply: 2024-01-31 23:59:00 ?'],
    [['20240131235958', '20240201000000'], 'BIGINT', {}, 'Apply: 2024-01-31 23:59:58 ?'],
    [['20240131235958', '20240131235960'], 'BIGINT', {}],
    [['2024013123', '2024013124'], 'INTEGER', {}],
    [['2024013123', '202401312300'], 'BIGINT', {}],
    [['2024023000'], 'INTEGER', {}],
    [['1.5k', '2M'], 'VARCHAR', {}, 'Apply: 1500'],
    [['4.0K', '12M', '1.5G', '0'], 'VARCHAR', {}, 'Apply: 1610612736 bytes (K is 1,024, M is 1,024 K)'],
    [['7,8G', '0B', '123G'], 'VARCHAR', {}, 'Apply: 8375186227.2 bytes (K is 1,024, M is 1,024 K)'],
    [['512Mi', '2Gi'], 'VARCHAR', {}, 'Apply: 536870912 bytes (K is 1,024, M is 1,024 K)'],
    [['512KiB', '1.2GiB'], 'VARCHAR', {}, 'Apply: 524288.0 bytes (K is 1,024, M is 1,024 K)'],
    [['1.50 GiB', '512 MiB', '0 B'], 'VARCHAR', {}, 'Apply: 1610612736 bytes (K is 1,024, M is 1,024 K)'],
    [['4G', '5G'], 'VARCHAR', {}, 'Apply: 4294967296 bytes (K is 1,024, M is 1,024 K) ?'],
    [['512 MiB', '3 MiB'], 'VARCHAR', {}, 'Apply: 512 (MiB)'],
    [['1.5G', '-1'], 'VARCHAR', {}],
    [['1.5G', 'none of it'], 'VARCHAR', {}],
    [['1.5GB', '12MB'], 'VARCHAR', {}],
    [['(1)', '(2)'], 'VARCHAR', {}, 'Apply: -1'],
    [['+5,2 %', '-1,0 %'], 'VARCHAR', {}, 'Apply: 0.052'],
    [['+1.5k', '2k'], 'VARCHAR', {}, 'Apply: 1500'],
    [['-3.5 °C', '12.0 °C'], 'VARCHAR', {}, 'Apply: -3.5 (°C)'],
    [['5 cm', '12 cm', '7cm'], 'VARCHAR', {}, 'Apply: 5 (cm)'],
    [['1,234.5 km/h', '5 km/h'], 'VARCHAR', {}, 'Apply: 1234.5 (km/h)'],
    [['34 m', '35 m'], 'VARCHAR', {}, 'Apply: 34 (m)'],
    [['34m', '2m'], 'VARCHAR', {}, 'Apply: 34000000'],
    [['5 cm', '12 m'], 'VARCHAR', {}],
    [['cm 5', 'cm 12'], 'VARCHAR', {}],
    [['12h', '14h'], 'VARCHAR', {}],
    [['2024-01', '2024-02'], 'VARCHAR', {}],
    [['abc', 'def'], 'VARCHAR', {}],
  ])('of %j', (values, ...expected) => {
    expect(found([values])).toEqual([expected])
  })

  it('are the type of nearly all values, though some rows don’t fit it', () => {
    const numbers = Array.from({ length: 300 }, (_, i) => `${i}.250`)
    const mostly = (...others: string[]) =>
      conclude([[...numbers, ...others]], { delimiter: ',' }).columns[0]?.proposals
    expect(mostly('n.v.', '1,5x', 'n.v.')).toEqual([
      {
        code: 'mostly',
        label: 'Apply: numbers, and mend 3 rows',
        message:
          '3 of 303 values are not numbers, the first is “n.v.” in row 301. The rows with them don’t fit then: mend them, or leave them out.',
        count: 303,
        example: { from: '0.250', to: '0.250' },
        change: { kind: 'column', patch: { type: 'DECIMAL(6,3)', format: {} } },
        ambiguous: true,
      },
    ])
    expect(mostly('a')?.[0]?.label).toBe('Apply: numbers, and mend 1 row')
    // Many others are no slips, and words for null explain all of them.
    expect(mostly('a', 'b', 'c', 'd', 'e')).toBeUndefined()
    expect(mostly('N/A', 'N/A')?.map(({ label }) => label)).toEqual(['Apply: “N/A” is null, numbers'])
    // What would become null is said, and is no value that isn't a number then.
    expect(
      mostly('N/A', '1,5x', 'N/A')
        ?.slice(1)
        .map(({ message }) => message),
    ).toEqual([
      '“N/A” (2 values) would be null. 1 of 301 values is not a number. The row with it doesn’t fit then: mend it, or leave it out.',
    ])
    expect(
      mostly('1,5x', 'N/A')
        ?.slice(1)
        .map(({ message }) => message),
    ).toEqual([
      '“N/A” (1 value) would be null. 1 of 301 values is not a number, the first is “1,5x” in row 301. The row with it doesn’t fit then: mend it, or leave it out.',
    ])
  })

  it.each([
    [
      'of another order',
      (i: number) => `${String((i % 28) + 1).padStart(2, '0')}.03.2024`,
      '2024-03-01',
      { type: 'DATE', format: { dateFormat: '%d.%m.%Y' } },
      '1 of 301 dates is written otherwise than the others, the first is “2024-03-01” in row 301.',
    ],
    [
      'among ISO dates',
      (i: number) => `2024-03-${String((i % 28) + 1).padStart(2, '0')}`,
      '01.03.2024',
      { type: 'DATE', format: {} },
      '1 of 301 dates is written otherwise than the others, the first is “01.03.2024” in row 301.',
    ],
    [
      'among names of months',
      (i: number) => `${(i % 28) + 1} Mar 2024`,
      '2024-03-01',
      { type: 'DATE', format: { dateFormat: '%d %b %Y' } },
      '1 of 301 values is not a date such as “1 Mar 2024”.',
    ],
    [
      'no number',
      (i: number) => `$1,${String(i).padStart(3, '0')}.50`,
      'free',
      { type: 'DECIMAL(6,2)', format: { grouping: ',', unit: '$' } },
      '1 of 301 values is not a number such as “$1,000.50”.',
    ],
  ])('are the type of nearly all values: one %s', (_, valueOf, odd, patch, message) => {
    const values = [...Array.from({ length: 300 }, (_each, i) => valueOf(i)), odd]
    const [column] = conclude([values], { delimiter: ',' }).columns
    expect(column?.type).toEqual({ kind: 'scalar', name: 'VARCHAR' })
    expect(column?.proposals).toEqual([
      expect.objectContaining({
        code: 'mostly',
        ambiguous: true,
        change: { kind: 'column', patch },
        message: `${message} The row with it doesn’t fit then: mend it, or leave it out.`,
      }),
    ])
    // Of many, nothing tells which are the slips.
    const many = conclude([[...values, ...Array.from({ length: 9 }, () => odd)]], { delimiter: ',' })
    expect(many.columns[0]?.proposals).toBeUndefined()
  })

  it('count what would change, and show one', () => {
    const [{ proposals }] = conclude([['1', '2', 'N/A', 'N/A']]).columns
    expect(proposals).toEqual([
      {
        code: 'null-words',
        label: 'Apply: “N/A” is null, whole numbers',
        message: '“N/A” (2 values) would be null; the values are whole numbers then.',
        count: 2,
        example: { from: 'N/A', to: 'null' },
        change: { kind: 'column', patch: { type: 'INTEGER', format: { nullValues: ['N/A'] } } },
      },
    ])
  })
})

describe('what programs write where there is no value', () => {
  const proposal = (...values: string[]) => {
    const [{ proposals = [], type }] = conclude([values]).columns
    return { type: printType(type), proposals: proposals.map(({ message, change }) => [message, change]) }
  }

  it('is null where it’s a date of zeros', () => {
    for (const [zeros, date, type, words] of [
      ['0000-00-00', '2024-01-31', 'DATE', 'dates'],
      ['0000-00-00 00:00:00', '2024-01-31 10:00:00', 'TIMESTAMP', 'dates with times'],
    ]) {
      expect(proposal(zeros, date, zeros, zeros)).toEqual({
        type: 'VARCHAR',
        proposals: [
          [
            `“${zeros}” (3 values) would be null; the values are ${words} then.`,
            { kind: 'column', patch: { type, format: { nullValues: [zeros] } } },
          ],
        ],
      })
    }
  })

  it('may be a number such as -999, that comes again', () => {
    expect(proposal('1.5', '-999', '20.25', '-999.0', '-999')).toEqual({
      type: 'DOUBLE',
      proposals: [
        [
          '“-999”, “-999.0” (3 values) would be null: instruments often write such numbers for missing measurements.',
          { kind: 'column', patch: { format: { nullValues: ['-999', '-999.0'] } } },
        ],
      ],
    })
    for (const values of [
      ['1', '-999', '2'],
      ['-999', '-999'],
      ['1', '-999', '-999', '1000'],
      ['1', '-99', '-99'],
      ['1', '-998', '-998'],
    ])
      expect(proposal(...values).proposals).toEqual([])
  })
})

describe('how a column would be read', () => {
  it('is known though not all of its values fit', () => {
    const [{ type, likely }] = conclude([['1.234,56', '12,50', 'see below']]).columns
    expect([printType(type), likely]).toEqual(['VARCHAR', { decimalMark: ',', grouping: '.' }])
  })
})

/** What crosses between threads: a part of a column each. */
describe('columns in parts', () => {
  const columns = [
    ['1.234,56 €', '-3,00 €', '1.234 €', '99,00 €'],
    ['yes', 'no', 'no', 'yes'],
    ['31.12.24', '1.1.25', '3.4.25', '5.6.25'],
    [' 1', 'N/A', '3 ', '4'],
    ['1.234', '5.678', '1', '2'],
    ['03/04/2025 10:30', '31/12/2025 9:15', '03/04/2025 10:30', '03/04/2025 10:30'],
  ]
  it.each(columns)('are as whole ones: %j …', (...values) => {
    const whole = conclude([values]).columns
    for (const at of [1, 2, 3]) {
      const [first, second] = [observed(values.slice(0, at)), observed(values.slice(at))]
      first.merge(structuredClone<ColumnStats>(second.stats()), at)
      expect(inferTable([first], { delimiter: ';' }).columns).toEqual(whole)
    }
  })
})

describe('a plus before numbers', () => {
  it('is proposed to be left out', () => {
    expect(found([['+5,0', '-4,5', '0,5']])).toEqual([['VARCHAR', {}, 'Apply: 5.0']])
    const [{ proposals = [] }] = conclude([['+2\u202f100,00', '-45,60']]).columns
    expect(proposals.map(({ change, message }) => [change, message])).toEqual([
      [
        { kind: 'column', patch: { type: 'DECIMAL(6,2)', format: { decimalMark: ',', grouping: ' ' } } },
        '2 values would become numbers, such as “+2\u202f100,00”: 2100.00.',
      ],
    ])
    expect(found([['+1.234,50', '-5,25']])).toEqual([['VARCHAR', {}, 'Apply: 1234.50']])
    expect(found([['+5,0', '...']])).toEqual([['VARCHAR', {}, 'Apply: 5.0']])
    expect(found([['-45.95', '+1250.00']], { delimiter: ',' })).toEqual([['VARCHAR', {}, 'Apply: 1250.00']])
  })

  it('is no part of amounts of money, also with a space behind it', () => {
    const money = ['DECIMAL(6,2)', { grouping: ',', unit: '$' }]
    expect(found([['- $12.50', '+ $1,250.00']])).toEqual([money])
    expect(found([['+$20', '-$5']])).toEqual([['INTEGER', { unit: '$' }]])
    expect(found([['- 5', '- 6']])).toEqual([['VARCHAR', {}]])
  })

  it('is proposed to be left out of whole numbers, where others are negative or have a fraction', () => {
    expect(found([['+12', '-15', '0', '+1']])).toEqual([['VARCHAR', {}, 'Apply: 12']])
    expect(found([['0', '\u22123', '+7']])).toEqual([['VARCHAR', {}, 'Apply: -3']])
    expect(found([['+2', '-1.25', '+0.50']])).toEqual([['VARCHAR', {}, 'Apply: 0.5']])
    expect(found([['+2', '-1,5']])).toEqual([['VARCHAR', {}, 'Apply: -1.5']])
    expect(found([['+12', '-3', '-', '-']])).toEqual([['VARCHAR', {}, 'Apply: 12']])
    const [{ proposals = [] }] = conclude([['-3', '+1', '0']]).columns
    expect(proposals.map(({ change }) => change)).toEqual([{ kind: 'column', patch: { type: 'INTEGER', format: {} } }])
    const merged = new ColumnInference()
    for (const texts of [['-3'], ['+1', '+20']]) merged.merge(observed(texts).stats(), 0)
    expect(inferTable([merged], { delimiter: ';' }).columns[0].proposals).toHaveLength(1)
  })

  it.each([
    [['+1', '+49', '+44']],
    [['+1', '0']],
    [['+0100', '-0500']],
    [['+4930123456', '-1']],
    [['+49 301', '-1']],
    [['+1', '-1', 'x']],
  ])('stays before whole numbers that may be codes: %j', (texts) => {
    expect(found([texts])).toEqual([['VARCHAR', {}]])
  })

  it('stays where it may be that of a telephone number', () => {
    for (const text of ['+49 301 234', '+4930123456', '+1', '+', '++1,5', '-+1,5', '+1,5-']) {
      expect(found([[text]])).toEqual([['VARCHAR', {}]])
    }
  })
})

describe('a weekday before dates', () => {
  it.each([
    ['Mon, 02 Jan 2023', '%a, %d %b %Y'],
    ['Montag, 2. Januar 2023', '%a, %d. %B %Y'],
    ['Monday, January 2, 2023', '%a, %B %d, %Y'],
    ['lundi 2 janvier 2023', '%a %d %B %Y'],
    ['segunda-feira, 2 de janeiro de 2023', '%a, %d de %B de %Y'],
    ['Mo. 02.01.2023', '%a %d.%m.%Y'],
    ['пн, 02.01.2023', '%a, %d.%m.%Y'],
    ['Mon 02/01/2023', '%a %d/%m/%Y'],
    ['Mon 01/02/2023', '%a %m/%d/%Y'],
  ])('%s is read, if it is that of the date', (text, dateFormat) => {
    expect(found([[text]])).toEqual([['DATE', { dateFormat }]])
  })

  it('may be that of a mail', () => {
    expect(found([['Mon, 02 Jan 2023 10:15:00 +0000']])).toEqual([
      ['TIMESTAMP WITH TIME ZONE', { dateFormat: '%a, %d %b %Y %H:%M:%S %z' }],
    ])
  })

  it('stays text where it is another one, or there’s no date', () => {
    expect(found([['Tue, 02 Jan 2023'], ['Mon 10:15'], ['so 12 2024']])).toEqual([
      ['VARCHAR', {}],
      ['VARCHAR', {}],
      ['VARCHAR', {}],
    ])
  })
})
