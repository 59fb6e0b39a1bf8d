import { afterEach, describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { duckParquet, readAll } from './oracle.test-helper.ts'
import { parquetReader } from './index.ts'
import { forgetPoison } from './wasm.ts'

const QUERY = `SELECT i, 'text ' || i AS s, (i * 1.1)::DECIMAL(18,2) AS m, [i, i + 1] AS l, {'a': i, 'b': 'x' || (i % 7)} AS st,
  MAP {'k': i} AS mp, i % 2 = 0 AS b, i / 3.0 AS d FROM range(3000) r(i)`

afterEach(forgetPoison)

/** What comes of reading damaged bytes: the fingerprint, or the error's code. */
async function outcome(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  forgetPoison()
  let timer: ReturnType<typeof setTimeout> | undefined
  const hang = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('hang'), 5000)
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

describe('damaged Parquet', () => {
  it.each([['zstd'], ['uncompressed']])(
    'tells or reads, but never hangs (%s)',
    async (codec) => {
      const { file } = await duckParquet(QUERY, `COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`)
      const bytes = new Uint8Array(await file.arrayBuffer())
      const good = await outcome(bytes)
      expect(good).toMatch(/^rows/)
      const seen = new Map<string, number>()
      let seed = 12345
      const random = (below: number): number => {
        seed = (seed * 1103515245 + 12345) % 2147483648
        return Math.floor((seed / 2147483648) * below)
      }
      for (let i = 0; i < 300; i++) {
        const damaged = bytes.slice()
        // Half of the flips in the last tenth, where headers and the footer are.
        const at = i % 2 ? random(bytes.length) : bytes.length - 1 - random(Math.ceil(bytes.length / 10))
        damaged[at] ^= 1 << random(8)
        const found = await outcome(damaged)
        const kind = found === good ? 'same' : found.startsWith('rows') ? 'differs' : found
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
      console.log(codec, seen)
      expect(await outcome(bytes)).toBe(good)
    },
    100_000,
  )
})
