import { beforeAll, expect, it } from 'vitest'
import type { TableFingerprint } from '../../../tables/receipt.ts'
import { parseType } from '../../../tables/types.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import { openDatabase } from '../../storage/open-database.ts'
import type { FileEngine } from '../../formats/duckdb/attached.ts'
import { readKnown } from '../../formats/duckdb/reader.ts'
import { loadText, type Loaded } from '../../testing/tables.ts'
import { physicalName } from '../../storage/file-names.ts'
import { verifyStored } from './stored-table.ts'

const { signal } = new AbortController()
const textOf = (name: (i: number) => string): string =>
  `id,name\n${Array.from({ length: 20_000 }, (_, i) => `${i},${name(i)}\n`).join('')}`

let engine: FileEngine
let loaded: Loaded
let expected: TableFingerprint

const stored = ({ stored: { fileId, schema } }: Loaded) => ({
  name: physicalName(fileId),
  columns: schema.map(({ name, type }) => ({ name, type: parseType(type) })),
})

beforeAll(async () => {
  const folder = `/${crypto.randomUUID()}/`
  engine = { db: await openDatabase({ folder }), folder }
  loaded = await loadText(textOf((i) => `name ${i % 977}`))
  const { name, columns } = stored(loaded)
  const fingerprinter = new Fingerprinter(columns)
  const context = { signal, progress: () => undefined }
  const batches = readKnown(loaded.file, { name, columns, rows: 20_000 }, engine, context)
  for await (const { batch } of batches) fingerprinter.add(batch)
  expected = fingerprinter.finish()
})

it('takes a file that has what went in', async () => {
  await expect(verifyStored(loaded.file, { ...stored(loaded), expected }, engine, signal)).resolves.toBeUndefined()
})

it('refuses a file that was cut off, or has other bytes, wherever', async () => {
  const bytes = new Uint8Array(await loaded.file.arrayBuffer())
  const cuts = [
    0,
    1,
    100,
    4096,
    8192,
    12_287,
    12_288,
    12_289,
    100_000,
    274_432,
    274_433,
    bytes.length - 262_144,
    bytes.length - 1,
  ]
  const files = cuts.filter((at) => at < bytes.length).map((at) => bytes.slice(0, at))
  for (const at of [8, 12_290, 20_000]) files.push(bytes.slice().fill(0, at, at + 4096))
  for (const damaged of files) {
    const file = new File([damaged], 'damaged')
    await expect(verifyStored(file, { ...stored(loaded), expected }, engine, signal)).rejects.toMatchObject({
      code: 'verification',
    })
  }
})

it('refuses a whole file with one other value, and says where', async () => {
  const other = await loadText(textOf((i) => `name ${i === 12_345 ? 'x' : i % 977}`))
  const verifying = verifyStored(other.file, { ...stored(other), expected }, engine, signal)
  await expect(verifying).rejects.toMatchObject({
    code: 'verification',
    details: expect.arrayContaining([expect.objectContaining({ column: 'name' })]) as unknown,
  })
})
