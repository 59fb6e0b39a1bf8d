import { afterEach, describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { duckParquet, readAll } from './testing/oracle.ts'
import { parquetReader } from './reader.ts'
import { forgetPoison, guarded } from './wasm.ts'

const QUERY = `SELECT i, 'text ' || i AS s, (i * 1.1)::DECIMAL(18,2) AS m, [i, i + 1] AS l, {'a': i, 'b': 'x' || (i % 7)} AS st,
  MAP {'k': i} AS mp, i % 2 = 0 AS b, i / 3.0 AS d FROM range(3000) r(i)`

afterEach(forgetPoison)

/** Long enough for a busy machine to read a few kilobytes, and shorter than the test's own timeout. */
const HANG_MS = 60_000

/** The result of reading damaged bytes: the fingerprint, or the error's code. */
async function outcome(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  forgetPoison()
  let timer: ReturnType<typeof setTimeout> | undefined
  const hang = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('hang'), HANG_MS)
  })
  const read = readAll(parquetReader, new File([bytes], 'x.parquet')).then(
    ({ fingerprint }) => `rows ${JSON.stringify(fingerprint)}`,
    (error: unknown) =>
      error instanceof EngineError ? error.code : `other: ${String(error)} ${(error as Error).stack}`,
  )
  const result = await Promise.race([read, hang])
  clearTimeout(timer)
  return result
}

/** The same numbers in each run. */
function randoms(): (below: number) => number {
  let seed = 12_345
  return (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
}

describe('damaged Parquet', () => {
  it.each([['zstd'], ['uncompressed']])('is told or read, but never hangs (%s)', async (codec) => {
    const { file } = await duckParquet(QUERY, `COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`)
    const bytes = new Uint8Array(await file.arrayBuffer())
    const good = await outcome(bytes)
    expect(good).toMatch(/^rows/)
    const random = randoms()
    for (let i = 0; i < 120; i++) {
      const damaged = bytes.slice()
      // Half of the flips are in the last tenth, where headers and the footer are.
      const at = i % 2 === 0 ? bytes.length - 1 - random(Math.ceil(bytes.length / 10)) : random(bytes.length)
      damaged[at] ^= 1 << random(8)
      // These files have no checksums that would reveal a flipped bit in a value.
      expect(await outcome(damaged), `byte ${at}`).toMatch(/^(rows|corrupt-file|unsupported-format|password-protected)/)
    }
    expect(await outcome(bytes)).toBe(good)
  })

  it('is told wherever the file is cut', async () => {
    const { file } = await duckParquet('SELECT i, i::VARCHAR AS s FROM range(1000) r(i)')
    const bytes = new Uint8Array(await file.arrayBuffer())
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 100)) {
      expect(await outcome(bytes.slice(0, at)), `cut at ${at}`).toBe('corrupt-file')
    }
    // The file is truncated, with its footer put back, so that pages aren't where the footer says.
    const footer = bytes.subarray(bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true))
    for (const at of [4, 100, bytes.length >> 1]) {
      const mended = new Uint8Array([...bytes.subarray(0, at), ...footer])
      expect(await outcome(mended), `cut at ${at}`).toBe('corrupt-file')
    }
  })

  it('names the row group', async () => {
    const { file } = await duckParquet(
      'SELECT i::VARCHAR AS s FROM range(5000) r(i)',
      'ROW_GROUP_SIZE 2048, COMPRESSION gzip',
    )
    const bytes = new Uint8Array(await file.arrayBuffer())
    bytes.fill(0xaa, bytes.length >> 1, (bytes.length >> 1) + 200)
    const read = readAll(parquetReader, new File([bytes], 'x.parquet'))
    await expect(read).rejects.toMatchObject({ code: 'corrupt-file', place: 'row group 2 of 3' })
  })

  it('tells encrypted files', async () => {
    const encrypted = new TextEncoder().encode('PARE....................PARE')
    expect(await outcome(encrypted)).toBe('password-protected')
  })

  it('survives bytes that crash the library', async () => {
    const { file } = await duckParquet('SELECT MAP {i: i} AS m FROM range(10) r(i)')
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { loadParquet } = await import('./wasm.ts')
    const library = await (await loadParquet()).ParquetFile.fromFile(new Blob([bytes]))
    // The library crashes if asked for one half of a map.
    const crash = guarded('row group 1', async () =>
      (await library.stream({ columns: ['m.key_value.key'] })).getReader().read(),
    )
    await expect(crash).rejects.toMatchObject({ code: 'corrupt-file', place: 'row group 1' })
    await expect(readAll(parquetReader, new File([bytes], 'x'))).rejects.toMatchObject({ code: 'worker-lost' })
  })
})
