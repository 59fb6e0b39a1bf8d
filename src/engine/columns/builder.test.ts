import { describe, expect, it } from 'vitest'
import { parseType } from '../../tables/types.ts'
import type { ValueFormat } from '../../tables/plan.ts'
import { makeColumnBuilder } from './builder.ts'
import { cellToString } from '../arrow/text.ts'

const encoder = new TextEncoder()

/** Text read as a type and written again; undefined when it's refused. */
function through(typeName: string, text: string, format?: ValueFormat): string | null | undefined {
  const type = parseType(typeName)
  const builder = makeColumnBuilder(type, format)
  // Other bytes around it, as in a file: digits, that a reader beyond the end would take for its own.
  const bytes = encoder.encode(`11${text}11`)
  if (!builder.appendText(bytes, 2, bytes.length - 2)) {
    expect(builder.length).toBe(0)
    return undefined
  }
  return cellToString(type, builder.finish(), 0)
}

function check(type: string, accepted: Record<string, string>, refused: readonly string[], format?: ValueFormat): void {
  for (const [text, canonical] of Object.entries(accepted)) {
    it(`${type}: “${text}” is ${canonical}`, () => expect(through(type, text, format)).toBe(canonical))
  }
  for (const text of refused) {
    it(`${type}: refuses “${text}”`, () => expect(through(type, text, format)).toBeUndefined())
  }
}

describe('integers', () => {
  check('TINYINT', { '-128': '-128', '127': '127', '+5': '5', '007': '7', '-0': '0' }, [
    '128',
    '-129',
    '1.5',
    '1.0',
    '1e2',
    '',
    ' 1',
    '1 ',
    '+',
    '-',
    '--1',
    '1,000',
    '0x10',
    'abc',
    '٣',
  ])
  check('UTINYINT', { '0': '0', '255': '255', '-0': '0' }, ['256', '-1'])
  check('SMALLINT', { '-32768': '-32768', '32767': '32767' }, ['32768', '-32769'])
  check('USMALLINT', { '65535': '65535' }, ['65536', '-1'])
  check('INTEGER', { '-2147483648': '-2147483648', '2147483647': '2147483647', '00000000000000000000001': '1' }, [
    '2147483648',
    '-2147483649',
    '99999999999999999999999999999999',
  ])
  check('UINTEGER', { '4294967295': '4294967295', '2147483648': '2147483648' }, ['4294967296', '-1'])
  check(
    'BIGINT',
    {
      '9223372036854775807': '9223372036854775807',
      '-9223372036854775808': '-9223372036854775808',
      '9007199254740993': '9007199254740993',
      '-9007199254740993': '-9007199254740993',
      '-4294967296': '-4294967296',
      '-4294967297': '-4294967297',
      '1000000000000000': '1000000000000000',
      '000000000000000000000000000000012': '12',
      '-1': '-1',
      '0': '0',
      '-0': '0',
    },
    ['9223372036854775808', '-9223372036854775809', '18446744073709551616', '1.0', '', '-', '123456789012345678x'],
  )
  check('UBIGINT', { '18446744073709551615': '18446744073709551615', '9223372036854775808': '9223372036854775808' }, [
    '18446744073709551616',
    '-1',
    '-9223372036854775808',
    '99999999999999999999',
  ])
  check(
    'HUGEINT',
    {
      '99999999999999999999999999999999999999': '99999999999999999999999999999999999999',
      '-99999999999999999999999999999999999999': '-99999999999999999999999999999999999999',
      '000000000000000000000000000000000000000000000001': '1',
      '18446744073709551616': '18446744073709551616',
      '-0': '0',
    },
    ['100000000000000000000000000000000000000', '1.0', '1e5', '', '.'],
  )
})

describe('decimals', () => {
  check(
    'DECIMAL(5,1)',
    {
      '1.10': '1.1',
      '9999.9': '9999.9',
      '-9999.9': '-9999.9',
      '5': '5.0',
      '.5': '0.5',
      '5.': '5.0',
      '-0.0': '0.0',
      '1e3': '1000.0',
      '0000001.5': '1.5',
      '15E-1': '1.5',
    },
    ['1.11', '10000', '99999', '1.', '.', '1.1.1', '1e', '1e5', '1e-2', '', '+', 'NaN', '1,1'].filter(
      (x) => x !== '1.',
    ),
  )
  check(
    'DECIMAL(38,10)',
    {
      '1234567890123456789012345678.0123456789': '1234567890123456789012345678.0123456789',
      '-1234567890123456789012345678.0123456789': '-1234567890123456789012345678.0123456789',
      '0.0000000001': '0.0000000001',
      '-0.0000000001': '-0.0000000001',
      '1e27': '1000000000000000000000000000.0000000000',
      '0.00000000010000000000000000000000000': '0.0000000001',
    },
    ['1e28', '0.00000000001', '12345678901234567890123456789'],
  )
  check('DECIMAL(38,38)', { '0.1': `0.1${'0'.repeat(37)}`, '-.5': `-0.5${'0'.repeat(37)}` }, ['1', '1.0'])
  check('DECIMAL(18,0)', { '123456789012345678': '123456789012345678', '1.0': '1' }, ['1234567890123456789', '1.5'])
})

describe('floats', () => {
  check(
    'DOUBLE',
    {
      '1': '1.0',
      '-0': '-0.0',
      '0.1': '0.1',
      '1e21': '1e+21',
      '1e-7': '1e-7',
      '123456789.123456789': '123456789.12345679',
      '0.30000000000000004': '0.30000000000000004',
      '1.7976931348623157e308': '1.7976931348623157e+308',
      '5e-324': '5e-324',
      NaN: 'NaN',
      nan: 'NaN',
      Infinity: 'Infinity',
      '-inf': '-Infinity',
      '.5': '0.5',
      '5.': '5.0',
      '1E+2': '100.0',
      '9007199254740993': '9007199254740992.0',
      '123456789012345680000': '123456789012345680000.0',
      '1000000.000001': '1000000.000001',
      '0.000001': '0.000001',
      '2.5e-6': '0.0000025',
      '-12.5': '-12.5',
      '100000000000000000000000': '1e+23',
      '0e999': '0.0',
    },
    ['', ' 1', '1 ', '1e', 'e5', '1e+', '.', '-', '1.2.3', '1e999', '-1e999', '1e-999', '1,5', 'infinit', 'x', '0x1'],
  )
  check(
    'FLOAT',
    {
      '0.1': '0.1',
      '16777217': '16777216.0',
      '3.4028235e38': '3.4028235e+38',
      '1e-45': '1e-45',
      '1.1754944e-38': '1.1754944e-38',
      NaN: 'NaN',
    },
    ['3.5e38', '1e-60'],
  )
  check(
    'DOUBLE',
    { '1.234.567,5': '1234567.5', '-1,25': '-1.25', '12': '12.0' },
    ['1.5', '12.34,5', '1.2345,6', '1,234.5', '1.234.56', '1,2.345'],
    {
      decimalMark: ',',
      grouping: '.',
    },
  )
  check(
    'INTEGER',
    { '1,234': '1234', '12,34,567': '1234567', '-1,234,567': '-1234567' },
    ['1,23', '1,,234', ',123', '1,234,', '1,2345', '1234,567', '12,345,67', '1.5'],
    {
      grouping: ',',
    },
  )
  check(
    'DECIMAL(10,2)',
    { '1\u00a0234,50': '1234.50', '1\u202f234,5': '1234.50', '1 234': '1234.00' },
    ['1  234', ' 1', '1.5'],
    {
      decimalMark: ',',
      grouping: ' ',
    },
  )
})

describe('booleans', () => {
  check('BOOLEAN', { true: 'true', FALSE: 'false', True: 'true' }, ['t', '1', 'yes', '', 'truee', 'tru'])
  check('BOOLEAN', { Ja: 'true', nein: 'false', NEIN: 'false', '0': 'false' }, ['true', 'false', ''], {
    trueValues: ['ja'],
    falseValues: ['Nein', '0'],
  })
})

describe('dates and times', () => {
  check(
    'DATE',
    {
      '2024-02-29': '2024-02-29',
      '1970-01-01': '1970-01-01',
      '0001-01-01': '0001-01-01',
      '9999-12-31': '9999-12-31',
      '2000-02-29': '2000-02-29',
      '-0044-03-15': '-0044-03-15',
      '12345-06-07': '12345-06-07',
      '+2024-01-02': '2024-01-02',
      '2024-01-02 00:00:00': '2024-01-02',
      '2024-01-02T00:00': '2024-01-02',
      '0000-01-01': '0000-01-01',
      '2024-01-02 00:00:00.000': '2024-01-02',
      '5881580-07-10': '5881580-07-10',
      infinity: 'infinity',
      '-Infinity': '-infinity',
    },
    [
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-01',
      '2024-01-00',
      '2024-04-31',
      '2024-1-2',
      '24-01-02',
      '2024/01/02',
      '20240102',
      '',
      '2024-01-0',
      '2024-01-',
      '2024-01-02 00:00:01',
      '2024-01-02Z',
      '2024-01-02 00:00:00Z',
      '2024-01-02 ',
      ' 2024-01-02',
      '2024-01-023',
      '5881580-07-11',
      '2024-01',
      '2024',
      'infinit',
      '+infinity',
      '--infinity',
      'infinity ',
    ],
  )
  check(
    'DATE',
    { '31.12.2024': '2024-12-31', '1.2.2024': '2024-02-01' },
    ['2024-12-31', '12.31.2024', '31.12.24', '31.12.2024 '],
    { dateFormat: '%d.%m.%Y' },
  )
  check('DATE', { '20241231': '2024-12-31' }, ['2024123', '202412311'], { dateFormat: '%Y%m%d' })
  check('DATE', { 'Jan 5, 69': '1969-01-05', 'dec 31, 68': '2068-12-31', 'MAY 1, 24': '2024-05-01' }, ['Foo 1, 24'], {
    dateFormat: '%b %d, %y',
  })
  check('DATE', { '5 January 2024': '2024-01-05' }, ['5 Jan 2024'], { dateFormat: '%d %B %Y' })
  check(
    'TIME',
    {
      '00:00': '00:00:00',
      '23:59:59.999999': '23:59:59.999999',
      '12:30:00.5': '12:30:00.5',
      '24:00:00': '24:00:00',
      '01:02:03.1000000000': '01:02:03.1',
    },
    [
      '24:00:01',
      '25:00',
      '12:60',
      '12:00:60',
      '1:00',
      '12:00:00.',
      '12:00:00.1234567',
      '12',
      '',
      '12:00Z',
      '12:0',
      '12:00:0',
      '12:00:00,5',
    ],
  )
  check('TIME', { '1:05 PM': '13:05:00', '12:00 am': '00:00:00' }, ['13:05 PM', '0:05 AM'], { dateFormat: '%I:%M %p' })
  check(
    'TIMESTAMP',
    {
      '2024-01-02 03:04:05': '2024-01-02 03:04:05',
      '2024-01-02T03:04:05.123456': '2024-01-02 03:04:05.123456',
      '2024-01-02': '2024-01-02 00:00:00',
      '1969-12-31 23:59:59.999999': '1969-12-31 23:59:59.999999',
      '9999-12-31 23:59:59.999999': '9999-12-31 23:59:59.999999',
      '0001-01-01 00:00:00.000001': '0001-01-01 00:00:00.000001',
      '2024-01-02 03:04:05.123456000': '2024-01-02 03:04:05.123456',
      '2024-01-02 03:04:05.100': '2024-01-02 03:04:05.1',
      '294247-01-10 04:00:54.775806': '294247-01-10 04:00:54.775806',
      '-290308-12-21 19:59:05.224192': '-290308-12-21 19:59:05.224192',
      Infinity: 'infinity',
      '-infinity': '-infinity',
    },
    [
      '2024-01-02 03:04:05Z',
      '2024-01-02 03:04:05+01:00',
      '2024-01-02 03:04:05.1234567',
      '2024-01-02 24:00:00',
      '294247-01-10 04:00:54.775807',
      '-290308-12-21 19:59:05.224193',
      '-290308-12-21 19:59:05.224191',
      'infinity+00',
      '2024-01-02 3:04',
      '2024-01-02 ',
      '2024-01-02 03:04:05 ',
    ],
  )
  check(
    'TIMESTAMP_S',
    { '2024-01-02 03:04:05': '2024-01-02 03:04:05', '2024-01-02 03:04:05.000': '2024-01-02 03:04:05' },
    ['2024-01-02 03:04:05.1'],
  )
  check(
    'TIMESTAMP_MS',
    { '2024-01-02 03:04:05.120': '2024-01-02 03:04:05.12', '1969-12-31 23:59:59.999': '1969-12-31 23:59:59.999' },
    ['2024-01-02 03:04:05.1234'],
  )
  check(
    'TIMESTAMP_NS',
    {
      '2024-01-02 03:04:05.123456789': '2024-01-02 03:04:05.123456789',
      '2262-04-11 23:47:16.854775806': '2262-04-11 23:47:16.854775806',
      infinity: 'infinity',
      '1677-09-21 00:12:43.145224192': '1677-09-21 00:12:43.145224192',
    },
    ['2262-04-11 23:47:16.854775807', '1677-09-21 00:12:43.145224191', '2024-01-02 03:04:05.1234567891'],
  )
  check(
    'TIMESTAMP WITH TIME ZONE',
    {
      '2024-01-02 03:04:05+00': '2024-01-02 03:04:05+00',
      '2024-01-02T03:04:05Z': '2024-01-02 03:04:05+00',
      '2024-01-02 03:04:05 +02:00': '2024-01-02 01:04:05+00',
      '2024-01-02 03:04:05-0530': '2024-01-02 08:34:05+00',
      '2024-01-02 03:04:05': '2024-01-02 03:04:05+00',
      '2024-01-02 03:04:05.5 UTC': '2024-01-02 03:04:05.5+00',
      '2024-01-02 00:00:00+00:00:01': '2024-01-01 23:59:59+00',
      '-infinity': '-infinity',
    },
    [
      '2024-01-02 03:04:05 CET',
      '2024-01-02 03:04:05+',
      '2024-01-02 03:04:05+1',
      '2024-01-02 03:04:05+24:00',
      '2024-01-02 03:04:05+01:60',
      '2024-01-02+01:00',
    ],
  )
  check('TIMESTAMP', { '3/4/2024 1:02:03.5 PM': '2024-03-04 13:02:03.5' }, ['3/4/2024'], {
    dateFormat: '%m/%d/%Y %I:%M:%S.%f %p',
  })
  check(
    'TIMESTAMP WITH TIME ZONE',
    { '2024-03-04 05:00+0200': '2024-03-04 03:00:00+00', '2024-03-04 05:00Z': '2024-03-04 05:00:00+00' },
    ['2024-03-04 05:00'],
    { dateFormat: '%Y-%m-%d %H:%M%z' },
  )
  it('says what is wrong with a pattern', () => {
    expect(() => makeColumnBuilder(parseType('DATE'), { dateFormat: '%d.%m' })).toThrow(/has no year/)
    expect(() => makeColumnBuilder(parseType('DATE'), { dateFormat: '%Y-%j' })).toThrow(/unknown part “%j”/)
    expect(() => makeColumnBuilder(parseType('DATE'), { dateFormat: '%Y%' })).toThrow(/unknown part “%”/)
  })
})

describe('text and bytes', () => {
  check('VARCHAR', { '': '', ' a ': ' a ', 'é😀': 'é😀', null: 'null', __proto__: '__proto__' }, [])
  check('INTERVAL', { '1 year 2 days': '1 year 2 days' }, [])
  check('UUID', { '0123ABCD-0000-4000-8000-00000000000F': '0123abcd-0000-4000-8000-00000000000f' }, [
    '0123abcd00004000800000000000000f',
    '0123abcd-0000-4000-8000-00000000000g',
    '',
    '0123abcd-0000-4000-8000-00000000000',
  ])
  check('BLOB', { '': '', 'AA==': 'AA==', 'AAE=': 'AAE=', AAEC: 'AAEC', '+/8=': '+/8=' }, [
    'A',
    'AA',
    'AAA',
    'AB==',
    'AAF=',
    'A===',
    '====',
    'AA=A',
    '-_8=',
    'AAEC ',
  ])
})

describe('builders', () => {
  const types = ['BOOLEAN', 'INTEGER', 'BIGINT', 'DECIMAL(20,2)', 'DOUBLE', 'VARCHAR', 'DATE']
  const values: Record<string, string> = { BOOLEAN: 'true', DATE: '2024-01-02', VARCHAR: 'x' }

  for (const name of types) {
    it(`${name}: nulls, rows taken back, several batches`, () => {
      const type = parseType(name)
      const builder = makeColumnBuilder(type)
      const text = encoder.encode(values[name] ?? '7')
      for (let batch = 0; batch < 2; batch++) {
        const expected: boolean[] = []
        for (let row = 0; row < 1200; row++) {
          const valid = row % 3 !== 0
          if (valid) expect(builder.appendText(text, 0, text.length)).toBe(true)
          else builder.appendNull()
          expected.push(valid)
          if (row % 7 === 6) {
            builder.truncate(builder.length - 3)
            expected.length -= 3
          }
        }
        expect(builder.length).toBe(expected.length)
        expect(builder.byteLength).toBeGreaterThan(0)
        const data = builder.finish()
        expect(builder.length).toBe(0)
        expect(data.length).toBe(expected.length)
        expect(data.nullCount).toBe(expected.filter((valid) => !valid).length)
        const canonical = cellToString(type, data, expected.indexOf(true))
        for (const [row, valid] of expected.entries())
          expect(cellToString(type, data, row)).toBe(valid ? canonical : null)
      }
      const none = builder.finish()
      expect(none.length).toBe(0)
    })
  }

  it('holds one value of 100 MB', () => {
    const builder = makeColumnBuilder(parseType('VARCHAR'))
    const bytes = new Uint8Array(100 * 1024 * 1024).fill(0x61)
    expect(builder.appendText(bytes, 0, bytes.length)).toBe(true)
    builder.appendNull()
    const data = builder.finish()
    expect(data.valueOffsets[1]).toBe(bytes.length)
    expect(cellToString(parseType('VARCHAR'), data, 0, 10)).toBe('aaaaaaaaaa')
  })
})
