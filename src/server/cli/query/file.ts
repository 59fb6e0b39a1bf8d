import { createReadStream } from 'node:fs'
import path from 'node:path'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../lib/counts.ts'
import { targetOf } from '../arguments.ts'
import { convert, inspect, isSource } from '../../engine/engine.ts'
import { exists } from '../../engine/files.ts'
import { FileExists } from '../../engine/outputs.ts'
import { UsageError, type Io, type ProgressLine } from '../io.ts'
import type { Named } from '../reading.ts'
import { noteLines } from '../words.ts'
import { shownPath } from '../paths.ts'
import type { Target } from '../../../tables/changes/changes.ts'
import { extensionOf, stemOf } from '../../../tables/file-names.ts'
import { planFrom } from '../../../tables/edits.ts'

/** Where to write a result, and in which format. */
export interface Destination extends Target {
  /** Null for standard output. */
  readonly file: string | null
  readonly replace: boolean
}

/**
 * Reads the options; null if rows are to be printed as text.
 * @throws {UsageError}
 */
export function destinationOf(
  values: { readonly to?: string; readonly out?: string; readonly replace?: boolean; readonly json?: boolean },
  io: Io,
): Destination | null {
  const { to, out, replace = false, json } = values
  if (to === undefined && out === undefined) {
    if (replace) throw new UsageError('--replace needs a file: name it with --out.')
    return null
  }
  if (out === '-') throw new UsageError('Leave out --out to write to standard output, and give the format with --to.')
  const file = out === undefined ? null : path.resolve(io.folder, out)
  const extension = file === null ? '' : path.extname(file)
  if (to === undefined && extension === '') throw new UsageError('Say what to write, such as --to parquet.')
  if (file === null && json === true) throw new UsageError('--json with --to needs a file: name it with --out.')
  const target = targetOf(to ?? extension)
  return { ...target, file, replace }
}

/** Fails before the statement runs. @throws {FileExists} */
export async function refuseTaken({ file, replace }: Destination, sources: readonly Named[]): Promise<void> {
  if (file === null) return
  const own = sources.flatMap((source) => (source.unpacked ? [] : [source.path]))
  if (await isSource(file, own)) throw new FileExists(file, true)
  if (!replace && (await exists(file))) throw new FileExists(file)
}

/** The output, for programs. */
interface Written {
  readonly path: string | null
  readonly size: number
  readonly rows: number
}

/**
 * Writes a database's only table to a file with our engine, which reads it back and compares. If that fails, there's no
 * file.
 * @param folder for the file if it goes to standard output
 */
export async function writeFileOf(
  database: string,
  { file, target, options, replace }: Destination,
  folder: string,
  io: Io,
  progress: ProgressLine,
): Promise<Written> {
  const { signal } = io
  const { inspection } = await inspect(database, {}, { signal })
  const stem = file === null ? 'result' : stemOf(file)
  const name = file === null ? `result.${extensionOf({ target, options })}` : path.basename(file)
  const converted = await convert(
    { path: database, name: `${stem}.duckdb` },
    { plan: planFrom(inspection), target, options },
    {
      folder: file === null ? path.join(folder, 'written') : path.dirname(file),
      replace,
      signal,
      name,
      onProgress: ({ rows }) => progress.show(() => `writing ${name}, ${plural(rows, 'row')}`),
    },
  )
  progress.clear()
  const [{ path: made, size, receipts }] = converted.outputs
  const rows = receipts.reduce((sum, { found }) => sum + found.rows, 0)
  const lines = noteLines(receipts.flatMap(({ changes }) => changes))
  const summary = `${file === null ? name : shownPath(made, io.folder)}: ${plural(rows, 'row')}, ${formatBytes(size)}; read back and compared, the same`
  io.err(`${[summary, ...lines].join('\n')}\n`)
  if (file === null) for await (const bytes of createReadStream(made)) await io.out(bytes as Uint8Array)
  return { path: file, size, rows }
}
