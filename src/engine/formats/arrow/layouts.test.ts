import { describe, expect, it } from 'vitest'
import { parseType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { cellToString } from '../../arrow/text.ts'
import { readAll } from '../parquet/testing/oracle.ts'
import {
  batchMessage,
  bytesOf,
  END,
  fileOf,
  NONE,
  schemaMessage,
  streamOf,
  utf8,
  type TestBatch,
  type TestField,
} from './testing/encode.ts'
import { arrowReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'

/** Each column's type and values, as text. */
async function contents(file: File): Promise<(string | null)[][]> {
  const { columns, batches } = await readAll(arrowReader, file)
  const inspection = await arrowReader.inspect(file, {}, QUIET)
  return columns.map(({ type }, i) => [
    inspection.tables[0].columns[i].type,
    ...batches.flatMap((batch) => {
      const data = batch.data.children[i]
      return Array.from({ length: data.length }, (_, row) => cellToString(type, data, row))
    }),
  ])
}

const INT: TestField = {
  name: 'n',
  type: 'Int',
  slots: [
    [0, 'i32', 32],
    [1, 'bool', 1],
  ],
}
const TEXT: TestField = { name: 's', type: 'Utf8' }
/** Of three rows, the second is null. */
const VALID = new Uint8Array([0b101])

function three(...buffers: Uint8Array[]): TestBatch {
  return { rows: 3, nodes: [[3, 1]], buffers: [VALID, ...buffers] }
}

/** A column of three rows, read from a file and from a stream. */
async function column(field: TestField, batch: TestBatch): Promise<(string | null)[]> {
  const [fromFile] = await contents(fileOf([field], [batch]))
  const [fromStream] = await contents(streamOf(schemaMessage([field]), batchMessage(batch), END))
  expect(fromStream).toEqual(fromFile)
  return fromFile
}

describe('compressed bodies', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `text ${i % 37} ${'x'.repeat(i % 11)}`)
  const ends = Int32Array.from({ length: 5001 }, (_, i) => texts.slice(0, i).join('').length)
  const values = Int32Array.from({ length: 5000 }, (_, i) => i)
  const bits = new Uint8Array(625).fill(0b11101111)
  it.each([[undefined], ['lz4'], ['zstd']] as const)('%s', async (codec) => {
    const batch: TestBatch = {
      rows: 5000,
      nodes: [
        [5000, 0],
        [5000, 625],
      ],
      buffers: [NONE, bytesOf(values), bits, bytesOf(ends), utf8(texts.join(''))],
      ...(codec ? { codec } : {}),
    }
    const file = fileOf([INT, TEXT], [batch, batch])
    const [numbers, strings] = await contents(file)
    expect(numbers.slice(1, 5001)).toEqual([...values].map(String))
    expect(strings.slice(5001)).toEqual(texts.map((text, i) => (i % 8 === 4 ? null : text)))
    if (!codec) return
    // A flipped bit in the compressed bytes must be an error or, among literals, change a value; it must not crash.
    const bytes = new Uint8Array(await file.arrayBuffer())
    for (let at = 400; at < bytes.length; at += 997) {
      const damaged = bytes.slice()
      damaged[at] ^= 0x10
      await readAll(arrowReader, new File([damaged], 'x')).catch((error: unknown) => {
        expect(error).toMatchObject({ tag: 'EngineError' })
      })
    }
  })
})

describe('layouts that the library does not know', () => {
  it('views', async () => {
    const views = new Uint8Array(48)
    const view = new DataView(views.buffer)
    view.setInt32(0, 5, true)
    views.set(utf8('short'), 4)
    view.setInt32(32, 20, true)
    view.setInt32(40, 1, true)
    view.setInt32(44, 3, true)
    const batch = { ...three(views, utf8('unused'), utf8('...a text of 20 letters')), variadic: [2] }
    expect(await column({ name: 'v', type: 'Utf8View' }, batch)).toEqual([
      'VARCHAR',
      'short',
      null,
      'a text of 20 letters',
    ])
    expect((await column({ name: 'v', type: 'BinaryView' }, batch))[0]).toBe('BLOB')
    view.setInt32(44, 4, true)
    await expect(column({ name: 'v', type: 'Utf8View' }, { ...batch })).rejects.toMatchObject({ code: 'corrupt-file' })
  })

  it('large texts and lists', async () => {
    const offsets = bytesOf(BigInt64Array.of(0n, 2n, 2n, 5n))
    expect(await column({ name: 's', type: 'LargeUtf8' }, three(offsets, utf8('abcde')))).toEqual([
      'VARCHAR',
      'ab',
      null,
      'cde',
    ])
    const items = bytesOf(Int32Array.of(1, 2, 3, 4, 5))
    const batch: TestBatch = {
      rows: 3,
      nodes: [
        [3, 1],
        [5, 0],
      ],
      buffers: [VALID, offsets, NONE, items],
    }
    expect(await column({ name: 'l', type: 'LargeList', children: [INT] }, batch)).toEqual([
      'INTEGER[]',
      '[1,2]',
      null,
      '[3,4,5]',
    ])
  })

  it('decimals of 32, 64 and 256 bits', async () => {
    const decimal = (width: number, precision: number): TestField => ({
      name: 'd',
      type: 'Decimal',
      slots: [
        [0, 'i32', precision],
        [1, 'i32', 2],
        [2, 'i32', width],
      ],
    })
    const expected = ['-1.05', null, '1234567.89']
    expect(await column(decimal(32, 9), three(bytesOf(Int32Array.of(-105, 7, 123456789))))).toEqual([
      'DECIMAL(9,2)',
      ...expected,
    ])
    expect(await column(decimal(64, 18), three(bytesOf(BigInt64Array.of(-105n, 7n, 123456789n))))).toEqual([
      'DECIMAL(18,2)',
      ...expected,
    ])
    const wide = bytesOf(BigInt64Array.of(-105n, -1n, -1n, -1n, 0n, 0n, 0n, 0n, 123456789n, 0n, 0n, 0n))
    expect(await column(decimal(256, 38), three(wide))).toEqual(['DECIMAL(38,2)', ...expected])
    expect(await column(decimal(256, 50), three(wide))).toEqual(['VARCHAR', ...expected])
  })

  it('intervals and durations', async () => {
    const mixed = new Uint8Array(48)
    const view = new DataView(mixed.buffer)
    view.setInt32(0, 14, true)
    view.setInt32(4, -3, true)
    view.setBigInt64(8, -1_500_000_000n, true)
    expect(await column({ name: 'i', type: 'Interval', slots: [[0, 'i16', 2]] }, three(mixed))).toEqual([
      'INTERVAL',
      '1 year 2 months -3 days -00:00:01.5',
      null,
      '00:00:00',
    ])
    const millis = three(bytesOf(BigInt64Array.of(90_061_001n, 0n, 0n)))
    expect(await column({ name: 'd', type: 'Duration', slots: [[0, 'i16', 1]] }, millis)).toEqual([
      'INTERVAL',
      '25:01:01.001',
      null,
      '00:00:00',
    ])
  })

  it('times that may be too fine', async () => {
    const zoned: TestField = {
      name: 't',
      type: 'Timestamp',
      slots: [
        [0, 'i16', 3],
        [1, 'text', 'Europe/Berlin'],
      ],
    }
    const exact = three(bytesOf(BigInt64Array.of(1_000n, 1n, -1_000n)))
    const fine = three(bytesOf(BigInt64Array.of(1_001n, 1n, -1_000n)))
    expect(await column(zoned, exact)).toEqual([
      'TIMESTAMP WITH TIME ZONE',
      '1970-01-01 00:00:00.000001+00',
      null,
      '1969-12-31 23:59:59.999999+00',
    ])
    expect(await column(zoned, fine)).toEqual([
      'TIMESTAMP_NS',
      '1970-01-01 00:00:00.000001001',
      null,
      '1969-12-31 23:59:59.999999',
    ])
    const time: TestField = {
      name: 't',
      type: 'Time',
      slots: [
        [0, 'i16', 3],
        [1, 'i32', 64],
      ],
    }
    const late = three(bytesOf(BigInt64Array.of(3_600_000_000_001n, 1n, 0n)))
    expect(await column(time, late)).toEqual(['VARCHAR', '01:00:00.000000001', null, '00:00:00'])
  })

  it('UUIDs by their extension, fixed-size lists, nulls', async () => {
    const uuid: TestField = {
      name: 'u',
      type: 'FixedSizeBinary',
      slots: [[0, 'i32', 16]],
      metadata: { 'ARROW:extension:name': 'arrow.uuid' },
    }
    const bytes = Uint8Array.from({ length: 48 }, (_, i) => i)
    expect((await column(uuid, three(bytes))).slice(0, 3)).toEqual([
      'UUID',
      '00010203-0405-0607-0809-0a0b0c0d0e0f',
      null,
    ])
    const list: TestField = { name: 'l', type: 'FixedSizeList', slots: [[0, 'i32', 2]], children: [INT] }
    const pairs: TestBatch = {
      rows: 3,
      nodes: [
        [3, 1],
        [6, 0],
      ],
      buffers: [VALID, NONE, bytesOf(Int32Array.of(1, 2, 3, 4, 5, 6))],
    }
    expect(await column(list, pairs)).toEqual(['INTEGER[]', '[1,2]', null, '[5,6]'])
    expect(await column({ name: 'n', type: 'Null' }, { rows: 3, nodes: [[3, 3]], buffers: [] })).toEqual([
      'VARCHAR',
      null,
      null,
      null,
    ])
  })
})

describe('dictionaries', () => {
  const field: TestField = { ...TEXT, dictionary: 7 }
  const values = (id: number, delta: boolean, ...texts: string[]): TestBatch => ({
    rows: texts.length,
    nodes: [[texts.length, 0]],
    buffers: [
      NONE,
      bytesOf(Int32Array.from({ length: texts.length + 1 }, (_, i) => texts.slice(0, i).join('').length)),
      utf8(texts.join('')),
    ],
    dictionary: { id, delta },
  })
  const indexes = (...of: number[]): TestBatch => ({
    rows: 3,
    nodes: [[3, 1]],
    buffers: [VALID, bytesOf(Int32Array.from(of))],
  })

  it('come in parts, and in a stream again', async () => {
    const parts = [values(7, false, 'a', 'b'), values(7, true, 'c')]
    expect(await contents(fileOf([field], [...parts, indexes(2, 9, 0)]))).toEqual([['VARCHAR', 'c', null, 'a']])
    const messages = [
      values(7, false, 'a', 'b'),
      indexes(1, 0, 0),
      values(7, true, 'c'),
      indexes(2, 0, 1),
      values(7, false, 'z'),
      indexes(0, 0, 0),
    ]
    const stream = streamOf(schemaMessage([field]), ...messages.map(batchMessage), END)
    expect(await contents(stream)).toEqual([['VARCHAR', 'b', null, 'a', 'c', null, 'b', 'z', null, 'z']])
  })

  it('shared by columns, and by what is in them', async () => {
    const other: TestField = { ...field, name: 'other' }
    const list: TestField = { name: 'l', type: 'List', children: [field] }
    const shared = {
      rows: 3,
      nodes: [
        [3, 1],
        [3, 0],
        [3, 0],
        [2, 0],
      ],
      buffers: [
        VALID,
        bytesOf(Int32Array.of(1, 0, 0)),
        NONE,
        bytesOf(Int32Array.of(0, 1, 0)),
        NONE,
        bytesOf(Int32Array.of(0, 0, 2, 2)),
        NONE,
        bytesOf(Int32Array.of(1, 0)),
      ],
    } as const
    const fields = [field, other, list]
    const expected = [
      ['VARCHAR', 'b', null, 'a'],
      ['VARCHAR', 'a', 'b', 'a'],
      ['VARCHAR[]', '[]', '["b","a"]', '[]'],
    ]
    expect(await contents(fileOf(fields, [values(7, false, 'a'), values(7, true, 'b'), shared]))).toEqual(expected)
    const messages = [values(7, false, 'x', 'y'), values(7, false, 'a', 'b'), shared].map(batchMessage)
    expect(await contents(streamOf(schemaMessage(fields), ...messages, END))).toEqual(expected)
  })

  it('of which nothing is used may be missing in both of its columns', async () => {
    const none: TestBatch = {
      rows: 2,
      nodes: [
        [2, 2],
        [2, 2],
      ],
      buffers: [new Uint8Array(1), new Uint8Array(8), new Uint8Array(1), new Uint8Array(8)],
    }
    expect(await contents(fileOf([field, { ...field, name: 'other' }], [none]))).toEqual([
      ['VARCHAR', null, null],
      ['VARCHAR', null, null],
    ])
  })

  it('that are missing or too short are damage', async () => {
    await expect(contents(fileOf([field], [values(7, false, 'a'), indexes(1, 0, 0)]))).rejects.toMatchObject({
      code: 'corrupt-file',
    })
    await expect(contents(fileOf([field], [values(8, false, 'a'), indexes(0, 0, 0)]))).rejects.toMatchObject({
      code: 'corrupt-file',
    })
  })
})

describe('messages as before version 0.15', () => {
  /** Without the continuation marker, and with an end marker of four bytes. */
  const older = (message: Uint8Array): Uint8Array => message.subarray(4)
  const batch = three(bytesOf(Int32Array.of(0, 1, 1, 5)), utf8('abcü'))
  const expected = [['VARCHAR', 'a', null, 'bcü']]

  it('in a stream', async () => {
    const messages = [schemaMessage([TEXT]), batchMessage(batch), batchMessage(batch)].map(older)
    const twice = [[...expected[0], ...expected[0].slice(1)]]
    expect(await contents(streamOf(...messages, older(END)))).toEqual(twice)
    expect(await contents(streamOf(...messages))).toEqual(twice)
  })

  it('in a file, whose footer names them', async () => {
    // The footer's metadata length includes the marker; the message begins at the given offset, and is four bytes
    // longer.
    const bytes = new Uint8Array(await fileOf([TEXT], [batch]).arrayBuffer())
    const at = bytes.findIndex((_, i) => i > 16 && [0, 1, 2, 3].every((j) => bytes[i + j] === 0xff))
    const length = new DataView(bytes.buffer).getInt32(at + 4, true)
    new DataView(bytes.buffer).setInt32(at, length + 4, true)
    bytes.copyWithin(at + 4, at + 8, at + 8 + length)
    bytes.fill(0, at + 4 + length, at + 8 + length)
    expect(await contents(streamOf(bytes))).toEqual(expected)
  })
})

describe('what is refused', () => {
  const code = (file: File): Promise<string> =>
    readAll(arrowReader, file).then(
      () => 'read',
      (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
    )

  it('other formats by name', async () => {
    expect(await code(streamOf(utf8('FEA1 and so on')))).toBe('unsupported-format')
    expect(await code(streamOf(schemaMessage([INT], true), END))).toBe('unsupported-format')
  })

  it('a decimal with more digits than its type, by value and column', async () => {
    const decimal: TestField = {
      name: 'm',
      type: 'Decimal',
      slots: [
        [0, 'i32', 3],
        [1, 'i32', 2],
      ],
    }
    const words = (...of: bigint[]): Uint8Array =>
      bytesOf(BigInt64Array.from(of.flatMap((value) => [value, value < 0n ? -1n : 0n])))
    expect(await contents(fileOf([decimal], [three(words(-999n, 5000n, 999n))]))).toEqual([
      ['DECIMAL(3,2)', '-9.99', null, '9.99'],
    ])
    await expect(contents(fileOf([decimal], [three(words(1n, 1n, -1000n))]))).rejects.toMatchObject({
      code: 'corrupt-file',
      message: 'The file has a number, -10.00, with more digits than its type DECIMAL(3,2) allows.',
      place: 'column “m”',
    })
  })

  it('a union, unless it is left out', async () => {
    const union: TestField = { name: 'u', type: 'Union', slots: [[0, 'i16', 1]], children: [INT] }
    const batch: TestBatch = {
      rows: 3,
      nodes: [
        [3, 0],
        [3, 0],
        [3, 1],
      ],
      buffers: [
        new Uint8Array(3),
        bytesOf(Int32Array.of(0, 1, 2)),
        NONE,
        bytesOf(Int32Array.of(1, 2, 3)),
        VALID,
        bytesOf(Int32Array.of(4, 5, 6)),
      ],
    }
    const file = fileOf([union, INT], [batch])
    const { tables, settings } = await arrowReader.inspect(file, {}, QUIET)
    expect(tables[0].columns[0]).toMatchObject({ type: 'VARCHAR', flags: ['as-text'] })
    expect(await code(file)).toBe('unsupported-format')
    const cells: (string | null)[] = []
    const columns = [{ index: 1, source: 'n', type: parseType('INTEGER') }]
    for await (const read of arrowReader.read(file, { settings, table: null, columns }, QUIET)) {
      const [data] = read.batch.data.children
      for (let row = 0; row < data.length; row++) cells.push(cellToString(columns[0].type, data, row))
    }
    expect(cells).toEqual(['4', null, '6'])
  })

  it('buffers that lie', async () => {
    const offsets = (...of: number[]): TestBatch => three(bytesOf(Int32Array.from(of)), utf8('abcü'))
    expect(await code(fileOf([TEXT], [offsets(0, 1, 1, 5)]))).toBe('read')
    for (const wrong of [
      [0, 1, 1, 6],
      [0, 2, 1, 5],
      [-1, 1, 1, 5],
      [0, 1, 1],
      [0, 1, 4, 5],
    ]) {
      expect(await code(fileOf([TEXT], [offsets(...wrong)])), String(wrong)).toBe('corrupt-file')
    }
    expect(await code(fileOf([INT], [three(bytesOf(Int32Array.of(1, 2)))]))).toBe('corrupt-file')
    expect(await code(fileOf([INT], [{ ...three(bytesOf(Int32Array.of(1, 2, 3))), rows: 4 }]))).toBe('corrupt-file')
    expect(await code(fileOf([INT], [{ rows: 3, nodes: [], buffers: [] }]))).toBe('corrupt-file')
  })

  it('small files that declare more than can be', async () => {
    const endless = { rows: 2 ** 31 - 1, nodes: [[2 ** 31 - 1, 0]], buffers: [] } as const
    expect(await code(fileOf([{ name: 'n', type: 'Null' }], [endless]))).toBe('too-large')
    const list: TestField = { name: 'l', type: 'FixedSizeList', slots: [[0, 'i32', 0]], children: [INT] }
    expect(
      await code(fileOf([list], [{ ...endless, nodes: [...endless.nodes, [0, 0]], buffers: [NONE, NONE, NONE] }])),
    ).toBe('too-large')
    for (const codec of ['lz4', 'zstd'] as const) {
      const message = batchMessage({ rows: 3, nodes: [[3, 0]], buffers: [NONE, new Uint8Array(12_000)], codec })
      const view = new DataView(message.buffer)
      for (let at = 0; at < message.length; at += 8)
        if (view.getBigInt64(at, true) === 12_000n) view.setBigInt64(at, 1_000_000_000n, true)
      const refused = readAll(arrowReader, streamOf(schemaMessage([INT]), message, END))
      await expect(refused).rejects.toMatchObject({
        code: 'corrupt-file',
        message: 'The Arrow file is damaged: a compressed buffer has a size that makes no sense.',
      })
    }
  })

  it('files that are cut', async () => {
    const batch = three(bytesOf(Int32Array.of(1, 2, 3)))
    const whole = new Uint8Array(await fileOf([INT], [batch, batch]).arrayBuffer())
    for (let at = 0; at < whole.length; at += 7) {
      expect(await code(streamOf(whole.subarray(0, at))), `file cut at ${at}`).toBe('corrupt-file')
    }
    const messages = [schemaMessage([INT]), batchMessage(batch), batchMessage(batch)]
    const ends = messages.map((_, i) => messages.slice(0, i + 1).reduce((sum, part) => sum + part.length, 0))
    const stream = new Uint8Array(await streamOf(...messages, END).arrayBuffer())
    for (let at = 1; at < stream.length; at += 3) {
      const expected = ends.includes(at) ? 'read' : 'corrupt-file'
      expect(await code(streamOf(stream.subarray(0, at))), `stream cut at ${at}`).toBe(expected)
    }
    const { tables } = await arrowReader.inspect(streamOf(...messages), {}, QUIET)
    expect(tables[0].notes.map((note) => note.code)).toContain('no-end-mark')
  })

  it('any flipped bit of the metadata, or reads on', async () => {
    const batch = three(bytesOf(Int32Array.of(0, 1, 1, 5)), utf8('abcü'))
    const whole = new Uint8Array(await fileOf([TEXT], [batch]).arrayBuffer())
    for (let at = 0; at < whole.length; at++) {
      for (const bit of [1, 16, 128]) {
        const damaged = whole.slice()
        damaged[at] ^= bit
        expect(await code(streamOf(damaged)), `byte ${at}`).toMatch(
          /^(read|corrupt-file|unsupported-format|too-large|empty-file)$/,
        )
      }
    }
  })
})
