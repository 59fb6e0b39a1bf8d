import { describe, expect, it } from 'vitest'
import { inspect } from '../testing/run.ts'
import { carried, fileOf, jsonRows, rejectedRows, refusal, TARGETS } from '../testing/bad-input.ts'

/* Text files with invalid rows or unusual characters. */

const csv = (...parts: (string | Uint8Array)[]): File => fileOf('t.csv', ...parts)
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

describe('line ends', () => {
  it.each([
    ['CR only', 'a,b\r1,2\r3,4\r'],
    ['CR only, none at the end', 'a,b\r1,2\r3,4'],
    ['mixed', 'a,b\r\n1,2\n3,4\r'],
    ['blank lines between', 'a,b\n\n1,2\n\n\n3,4\n\n'],
  ])('%s', async (_, text) => {
    expect(await jsonRows(await carried(csv(text), 2))).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ])
  })

  it('get a note if they are mixed', async () => {
    const { inspection } = await inspect(csv('a,b\r\n1,2\n3,4\r'))
    expect(inspection.notes.map(({ code }) => code)).toContain('mixed-line-ends')
  })

  it('within quotes are unchanged', async () => {
    const rows = await jsonRows(await carried(csv('a,b\r\n1,"x\r\ny"\r\n2,"p\nq\rr"\r\n'), 2))
    expect(rows.map(({ b }) => b)).toEqual(['x\r\ny', 'p\nq\rr'])
  })
})

describe('characters', () => {
  const nul = 'a,b\nx\0y,2\n\0,3\n'

  it.each(TARGETS)('NUL is preserved in %s', async (target) => {
    const { files, receipt } = await carried(csv(nul), 2, { target })
    expect(receipt.found.columns[0].max).toBe('x\0y')
    expect(await jsonRows(await carried(files[0], 2))).toEqual([
      { a: 'x\0y', b: 2 },
      { a: '\0', b: 3 },
    ])
  })

  it.each(TARGETS)('those that XML can’t contain are preserved in %s', async (target) => {
    const odd = '\u0001\u000b\u001f\ufffe\uffff_x0041_'
    const { files } = await carried(csv(`a,b\n${odd},2\n`), 1, { target })
    expect(await jsonRows(await carried(files[0], 1))).toEqual([{ a: odd, b: 2 }])
  })

  it.each([
    ['UTF-8', new TextEncoder().encode('\ufeffa,b\nü,2\n')],
    ['UTF-8 before a quote', new TextEncoder().encode('\ufeff"a","b"\nü,2\n')],
    ['UTF-16 little endian', new Uint8Array(Buffer.from('\ufeffa,b\nü,2\n', 'utf16le'))],
    ['UTF-32 little endian', new Uint8Array(Uint32Array.from('\ufeffa,b\nü,2\n', (char) => char.charCodeAt(0)).buffer)],
    ['UTF-16 big endian', new Uint8Array(Buffer.from('\ufeffa,b\nü,2\n', 'utf16le').swap16())],
  ])('the byte order mark of %s is skipped', async (_, text) => {
    expect(await jsonRows(await carried(csv(text), 1))).toEqual([{ a: 'ü', b: 2 }])
    const json = Buffer.from('\ufeff[{"a":"ü"}]', 'utf16le')
    expect(await jsonRows(await carried(fileOf('t.json', json), 1))).toEqual([{ a: 'ü' }])
  })

  it('half a UTF-16 code unit at the end rejects its row', async () => {
    const text = Buffer.concat([Buffer.from('\ufeffa,b\nü,2\n', 'utf16le'), Buffer.from([65])])
    const { result } = await carried(csv(text), 2)
    expect(result.rejected).toMatchObject([{ row: 2, line: 3, reason: 'encoding' }])
  })
})

describe('bytes that aren’t UTF-8, late in a long file', () => {
  it('reject their row after UTF-8 text', async () => {
    const rows = 200_000
    const file = csv('a,b\n', 'é,2\n'.repeat(rows), bytes(0xff, 0xfe, 0x2c, 0x31, 0x0a), 'x,3\n')
    const { result, receipt } = await carried(file, rows + 2, { target: 'parquet' })
    expect(result.rejected).toMatchObject([{ row: rows + 1, line: rows + 2, reason: 'encoding' }])
    expect(receipt.found.columns[0].max).toBe('é')
  })

  it('determine the encoding after plain ASCII, with a note', async () => {
    const rows = 200_000
    const file = csv('a,b\n', 'e,2\n'.repeat(rows), bytes(0x66, 0xfc, 0x72, 0x2c, 0x31, 0x0a), 'x,3\n')
    const { inspection } = await inspect(file)
    expect(inspection.notes.find(({ code }) => code === 'encoding-late')?.message).toContain('200,002')
    const { receipt } = await carried(file, rows + 2, { target: 'parquet' })
    expect(receipt.found.columns[0]).toMatchObject({ min: 'e', max: 'x' })
  })

  it('reject their line in NDJSON', async () => {
    const file = fileOf(
      't.ndjson',
      '{"a":"é"}\n'.repeat(100_000),
      bytes(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d, 0x0a),
      '{"a":"x"}\n',
    )
    const { result } = await carried(file, 100_002, { target: 'parquet' })
    expect(result.rejected).toMatchObject([{ row: 100_001, line: 100_001, reason: 'encoding' }])
  })
})

describe('a quote that is never closed', () => {
  const rows = Array.from({ length: 6 }, (_, i) => `${i},"n ${i}",x`)

  it.each([0, 3, 5])('rejects only row %i', async (which) => {
    const text = ['id,n,x', ...rows.with(which, `${which},"open,x`)].join('\n')
    for (const end of ['', '\n']) {
      const found = await carried(csv(text + end), 6)
      expect(found.result.rejected).toMatchObject([{ row: which + 1, line: which + 2, reason: 'quoting' }])
      expect((await rejectedRows(found))[0]).toMatchObject({ line: String(which + 2), raw: `${which},"open,x` })
      expect((await jsonRows(found)).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5].toSpliced(which, 1))
    }
  })

  it('rejects its row, even if it’s the file’s only quote', async () => {
    const found = await carried(csv('id,name,score\n1,a,10\n5,"e,50\n6,f,60\n'), 3)
    expect(found.result.rejected).toMatchObject([{ row: 2, line: 3, reason: 'quoting', raw: '5,"e,50' }])
  })

  it('in the header rejects no rows', async () => {
    const text = ['id,"n,x', ...rows].join('\n')
    const { inspection } = await inspect(csv(text))
    expect(inspection.tables[0].columns.map(({ name }) => name)).toEqual(['id', '"n', 'x'])
    await carried(csv(text), 6)
  })

  it('far from the end of a long file rejects one row', async () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `${i},"n ${i}",${i === 20_000 ? '"open' : 'x'}`)
    const { result } = await carried(csv(['id,n,x', ...many].join('\n')), 50_000, { target: 'parquet' })
    expect(result.rejected).toMatchObject([{ row: 20_001, line: 20_002, reason: 'quoting' }])
  })

  it('rejects its row like text after a closing quote', async () => {
    const { result } = await carried(csv('id,n\n1,"a"b\n2,"c"\n'), 2)
    expect(result.rejected).toMatchObject([{ row: 1, line: 2, reason: 'quoting', raw: '1,"a"b' }])
  })
})

describe('ragged rows', () => {
  const text = 'id,n\n1,a\n2\n3,b,c\n4,d\n'
  const rejecting = { request: { settings: { kind: 'csv', shortRows: 'reject' } } } as const

  it('are rejected with line, raw text and reason', async () => {
    const found = await carried(csv(text), 4, rejecting)
    expect(await jsonRows(found)).toEqual([
      { id: 1, n: 'a' },
      { id: 4, n: 'd' },
    ])
    expect(await rejectedRows(found)).toMatchObject([
      { row: '2', line: '3', reason: 'ragged', raw: '2' },
      { row: '3', line: '4', reason: 'ragged', raw: '3,b,c' },
    ])
  })

  it('that are too short are padded with nulls if the settings say so', async () => {
    const { rejected } = await carried(csv(text), 4, {
      request: { settings: { kind: 'csv', shortRows: 'pad' } },
    })
    expect(rejected).toBe(1)
  })

  it('are all written to the file of rejected rows', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => (i % 3 === 0 ? `${i}` : `${i},x`))
    const found = await carried(csv(['id,n', ...many].join('\n')), 30_000, rejecting)
    expect(found.rejected).toBe(10_000)
    const lines = (await rejectedRows(found)).map(({ line }) => Number(line))
    expect(lines).toEqual(Array.from({ length: 10_000 }, (_, i) => i * 3 + 2))
  })
})

describe('small tables', () => {
  it.each(TARGETS)('with one column, with only nulls, and with both, are converted to %s', async (target) => {
    await carried(csv('a\n1\n2\n'), 2, { target })
    const nulls = await carried(csv('a,b\n,\n,\n'), 2, { target })
    expect(nulls.receipt.found.columns.map((column) => column.nulls)).toEqual([2, 2])
    const both = await carried(csv('a\n\n\n\n'), 3, { target })
    expect(both.receipt.found.columns[0].nulls).toBe(3)
  })

  it('are refused if the chosen encoding doesn’t exist', async () => {
    const request = { settings: { kind: 'csv', encoding: 'utf-99' } } as const
    expect(await refusal(csv('a,b\n1,2\n'), { request })).toMatchObject({ code: 'not-text' })
  })
})
