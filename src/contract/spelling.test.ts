import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORMATS } from './formats.ts'
import { SERVICE_FORMATS } from './limits.ts'
import {
  camelCaseName,
  foldCamelCase,
  foldDescription,
  foldSpellings,
  formatOfContentType,
  formatOfFilename,
  serviceFormatOf,
  toCamelCase,
} from './spelling.ts'

describe('camelCase fields', () => {
  it('are converted to snake_case', () => {
    const folded = foldCamelCase({ sourceUrl: 'p', sourceFormat: 'csv', destination_format: 'json', filename: 'f' })
    expect(folded.body).toEqual({ source_url: 'p', source_format: 'csv', destination_format: 'json', filename: 'f' })
    expect(folded.camelCase).toBe(true)
    expect(folded.issues).toEqual([])
    expect([...folded.written]).toEqual([
      ['source_url', 'sourceUrl'],
      ['source_format', 'sourceFormat'],
    ])
  })

  it('if there are none, the body stays as it is', () => {
    const body = { source_format: 'csv', destination_format: 'json', extra: [1] }
    expect(foldCamelCase(body)).toMatchObject({ body, camelCase: false, issues: [] })
  })

  it('may appear beside the snake_case name with the same value', () => {
    const folded = foldCamelCase({ source_format: 'csv', sourceFormat: 'csv' })
    expect(folded).toMatchObject({ body: { source_format: 'csv' }, camelCase: true, issues: [] })
  })

  it.each([
    [{ source_format: 'csv', sourceFormat: 'json' }, 'sourceFormat'],
    [{ source_format: null, sourceFormat: 'json' }, 'sourceFormat'],
    [{ source_url: 'a', sourceUrl: 'b' }, 'sourceUrl'],
  ])('are refused when they disagree: %j', (body, path) => {
    expect(foldCamelCase(body).issues).toEqual([{ path, message: expect.stringContaining('the same field') }])
  })

  it('are never read from the prototype', () => {
    const body = JSON.parse('{"__proto__": {"sourceFormat": "csv"}, "constructor": 1}')
    const folded = foldCamelCase(body)
    expect(folded.camelCase).toBe(false)
    expect(Object.hasOwn(folded.body, '__proto__')).toBe(true)
    expect(folded.body['sourceFormat']).toBeUndefined()
    expect(Object.getPrototypeOf(folded.body)).toBe(Object.prototype)
  })

  it('have the last value of duplicate keys, as usual in JSON', () => {
    expect(foldCamelCase(JSON.parse('{"sourceFormat": "csv", "sourceFormat": "json"}')).body).toEqual({
      source_format: 'json',
    })
  })

  it('mean the same as a snake_case request, whichever of them are used', () => {
    const names = ['source_url', 'source_format', 'destination_format'] as const
    fc.assert(
      fc.property(
        fc.record(
          { source_url: fc.string(), source_format: fc.string(), destination_format: fc.string() },
          { requiredKeys: [] },
        ),
        fc.array(fc.constantFrom(...names)),
        (body, camel) => {
          const spelled = Object.fromEntries(
            Object.entries(body).map(([name, value]) => [
              camel.some((one) => one === name) ? camelCaseName(name) : name,
              value,
            ]),
          )
          const folded = foldCamelCase(spelled)
          expect(folded.body).toEqual(body)
          expect(folded.issues).toEqual([])
          expect(folded.camelCase).toBe(camel.some((name) => Object.hasOwn(body, name)))
        },
      ),
    )
  })
})

describe('foldSpellings', () => {
  it('keeps every other field of any JSON object, whatever its name', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue()), (body) => {
        const { body: folded } = foldSpellings(body, [['description', 'short_description']])
        for (const [name, value] of Object.entries(body)) {
          if (name !== 'short_description' && name !== 'description')
            expect(Object.entries(folded)).toContainEqual([name, value])
        }
      }),
    )
  })

  it('merges description and short_description', () => {
    expect(foldDescription({ short_description: 'a' }).body).toEqual({ description: 'a' })
    expect(foldDescription({ short_description: 'a', description: 'a' })).toMatchObject({
      body: { description: 'a' },
      issues: [],
    })
    expect(foldDescription({ short_description: 'a', description: '' }).issues).toHaveLength(1)
  })
})

describe('toCamelCase', () => {
  it('adds the other spelling at every depth, and removes nothing', () => {
    expect(toCamelCase({ source: { upload_url: 'u', file_path: 'p' }, list: [{ expires_at: 'e' }], plain: 1 })).toEqual(
      {
        source: { upload_url: 'u', uploadUrl: 'u', file_path: 'p', filePath: 'p' },
        list: [{ expires_at: 'e', expiresAt: 'e' }],
        plain: 1,
      },
    )
  })

  it('keeps every snake_case name', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}(_[a-z]{1,5}){0,2}$/), fc.oneof(fc.string(), fc.integer())),
        (value) => {
          const both = toCamelCase(value)
          expect(both).toMatchObject(value)
          for (const [name, inner] of Object.entries(value)) expect(both).toHaveProperty(camelCaseName(name), inner)
        },
      ),
    )
  })
})

describe('formats', () => {
  it.each([...SERVICE_FORMATS])('%s is known in any case', (format) => {
    expect(serviceFormatOf(format)).toBe(format)
    expect(serviceFormatOf(format.toUpperCase())).toBe(format)
  })

  it.each([
    ['excel', 'xlsx'],
    ['Excel', 'xlsx'],
    ['arrow', null],
    ['xls', null],
    ['', null],
    [' csv', null],
    ['__proto__', null],
    ['constructor', null],
  ])('%j is %j', (word, format) => {
    expect(serviceFormatOf(word)).toBe(format)
  })

  it.each(FORMATS.filter(({ service }) => service).map(({ mimeType, id }) => [mimeType, id] as const))(
    '%s is %s',
    (mimeType, format) => {
      expect(formatOfContentType(mimeType, 'x')).toBe(format)
      expect(formatOfContentType(`${mimeType.toUpperCase()}; charset=utf-8`, 'x')).toBe(format)
      expect(formatOfContentType(`${mimeType};charset="utf-8"`, 'x')).toBe(format)
    },
  )

  it.each([
    ['application/octet-stream', 'a.CSV', 'csv'],
    ['application/octet-stream', 'a.b.parquet', 'parquet'],
    ['application/octet-stream; charset=binary', 'a.tsv', 'tsv'],
    ['application/octet-stream', 'csv', null],
    ['application/octet-stream', 'a.csv.exe', null],
    ['application/octet-stream', 'a.arrow', null],
    ['application/vnd.apache.arrow.file', 'a.csv', null],
    ['text/plain', 'a.csv', null],
    ['text/csv; boundary=x', 'a.csv', null],
    ['text/csv; charset=', 'a.csv', null],
    ['text/csv; charset=utf-8; x=y', 'a.csv', null],
    ['text/csv\r\nX-Evil: 1', 'a.csv', null],
    ['', 'a.csv', null],
  ])('%j of %j is %j', (contentType, filename, format) => {
    expect(formatOfContentType(contentType, filename)).toBe(format)
  })

  it('never throws, whatever the type and name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (contentType, filename) => {
        formatOfContentType(contentType, filename)
        formatOfFilename(filename)
      }),
    )
  })
})
