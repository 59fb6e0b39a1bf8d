import { checkpoint } from '../lib/abort.ts'
import { defaultOptions, planFrom } from '../tables/plan.ts'
import { convertFile, type ConvertContext } from './convert/convert.ts'
import type { EngineContext } from './formats/types.ts'
import { inspectFile } from './convert/inspect.ts'
import { MemoryOutputs } from './storage/output.ts'
import type { ConvertRequest } from './protocol.ts'

/** Milliseconds that nobody wants anything: whoever comes to drop a file at once doesn't wait for this. */
const REST = 1000
/** A browser compiles what it has run often enough; beyond, the next conversion gains less than this costs. */
const ROUNDS_IN_BOTH = 4
/** About a megabyte. */
const ROWS = 9000

export type WarmUpContext = Required<Pick<EngineContext, 'startHelper'>> &
  Required<Pick<ConvertContext, 'startStage'>> & {
    /** Aborted when somebody wants something: no further step is begun then, and the one that runs ends well. */
    readonly wanted: AbortSignal
    /** Milliseconds; for tests. */
    readonly rest?: number
  }

/**
 * Inspects and converts a table of no meaning: in this thread, as small files are, and in both, as large ones are. The
 * first conversion would otherwise load what it needs first, and run it uncompiled: a megabyte of CSV, inspected and
 * converted to Parquet, would take 390 ms and not 115. Nothing is kept of it.
 * @returns whether it came to its end
 */
export async function warmUp({ wanted, rest = REST, ...threads }: WarmUpContext): Promise<boolean> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, rest)
    wanted.addEventListener('abort', () => resolve(), { once: true })
  })
  // What is begun isn't cancelled: a second thread that was told to stop is good for nothing more.
  const { signal } = new AbortController()
  const progress = (): void => undefined
  /** What it's converted to; null when somebody wants something. */
  const convert = async (file: File, to: Target, alone: boolean): Promise<File | null> => {
    const { startHelper, startStage } = alone ? {} : threads
    if (wanted.aborted) return null
    const { inspection } = await inspectFile(file, {}, { signal, progress, ...(startHelper ? { startHelper } : {}) })
    await checkpoint(signal)
    if (wanted.aborted) return null
    const storage = new MemoryOutputs()
    const request = { jobId: 'warm-up', plan: planFrom(inspection), ...to }
    await convertFile(file, request, { signal, progress, storage, ...(startStage ? { startStage } : {}) })
    await checkpoint(signal)
    const [output] = storage.files.values()
    return output ?? file
  }
  const table = new File([warmUpTable(ROWS)], 'warm-up.csv')
  const lines = await convert(
    table,
    { target: 'json', options: { kind: 'json', layout: 'lines', normalize: false } },
    true,
  )
  if (!lines) return false
  for (let round = 0; round <= ROUNDS_IN_BOTH; round++) {
    const alone = round === 0
    if (!(await convert(table, { target: 'parquet', options: defaultOptions('parquet') }, alone))) return false
    if (!(await convert(lines, { target: 'csv', options: defaultOptions('csv') }, alone))) return false
  }
  return true
}

type Target = Pick<ConvertRequest, 'target' | 'options'>

/**
 * A CSV table with columns of the types that tables mostly have, and with what values mostly come upon: code that meets
 * something for the first time is thrown away by the browser, and compiled once more.
 */
export function warmUpTable(rows: number): string {
  const lines = ['id,code,name,email,amount,ratio,count,day,at,clock,active,note,city']
  for (let i = 0; i < rows; i++) {
    const mixed = (i * 7919) % 9973
    const day = new Date(Date.UTC(2000, 0, 1 + mixed)).toISOString().slice(0, 10)
    const clock = `${two(i % 24)}:${two(mixed % 60)}:${two((i * 7) % 60)}`
    const cells = [
      i,
      String(i % 1000).padStart(5, '0'),
      `Name ${mixed}`,
      i % 11 === 0 ? '' : `user${mixed}@example.${i % 2 === 0 ? 'com' : 'a-rather-long-domain.org'}`,
      `${i % 9 === 1 ? '-' : ''}${mixed}.${two(i % 100)}`,
      (mixed * Math.SQRT2) % 1,
      i % 3 === 0 ? mixed : mixed * 1_234_567_891,
      day,
      `${day} ${clock}${i % 4 === 0 ? `.${two(i % 100)}` : ''}`,
      clock,
      i % 2 === 0,
      i % 5 === 0 ? '' : i % 7 === 0 ? `"a, ""quoted"" note ${i}"` : `note ${i * 31}`,
      `${i % 3 === 0 ? 'Köln' : 'city'} ${i % 50}`,
    ]
    lines.push(cells.join(','))
  }
  return lines.join('\n')
}

const two = (value: number): string => String(value).padStart(2, '0')
