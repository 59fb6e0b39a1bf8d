import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { combineFiles } from '../../engine/convert/combine.ts'
import { convertFile } from '../../engine/convert/convert.ts'
import { inspectFile } from '../../engine/convert/inspect.ts'
import type {
  ConvertProgress,
  ConvertRequest,
  ConvertResult,
  FileProgress,
  InspectProgress,
  InspectRequest,
  InspectResult,
  Output,
} from '../../engine/convert/protocol.ts'
import type { CombineRequest } from '../../engine/convert/calls.ts'
import { verifyAgain } from '../../engine/convert/verify-again.ts'
import type { EngineContext } from '../../engine/formats/types.ts'
import { sha256Of } from '../../engine/io/sha256.ts'
import type { Difference, Receipt } from '../../tables/receipt.ts'
import { makeFolder, openFile, pathOf as pathOfFile } from './files.ts'
import { FileExists, FileOutputs, publish } from './outputs.ts'

/*
 * The engine, in Node: the functions that the browser's workers run, over files on the disk. Calls keep their thread
 * busy; a signal is looked at every 100 ms at least.
 */

/** A file's path, with the name that it's to have in receipts where that isn't the path's; or a file that is at hand. */
export type Source = string | File | { readonly path: string; readonly name: string }

export interface CallOptions<Progress> {
  /** Cancels: the call rejects with its reason, and leaves nothing. */
  readonly signal?: AbortSignal
  /** Called often. */
  readonly onProgress?: (progress: Progress) => void
}

/** A file that was made, with where it lies. */
export interface MadeFile extends Output {
  readonly path: string
}

/** As the engine's, with files. */
export interface Converted extends Omit<ConvertResult, 'outputs' | 'rejectedFile'> {
  readonly outputs: readonly MadeFile[]
  readonly rejectedFile: MadeFile | null
}

export interface ConvertOptions extends CallOptions<ConvertProgress> {
  /** Where the files go. It's made where it isn't there. */
  readonly folder: string
  /** What the one file that is made is called; by default as what it's made of, with its format's ending. */
  readonly name?: string
  /** Whether files that are there already are written over; otherwise the call fails with `FileExists`. */
  readonly replace?: boolean
  /**
   * Looks at what was made before any of it has its name: what it throws leaves nothing, and the files that it gives go
   * with the others.
   * @param pathOf where an output lies meanwhile
   */
  readonly finish?: (result: ConvertResult, pathOf: (output: Output) => string) => Promise<readonly ExtraFile[]>
}

/** A file that goes with what was made. */
export interface ExtraFile {
  readonly name: string
  readonly content: string
}

/**
 * Reads a file once and says what's in it, with the first rows of each table.
 * @throws {EngineError}
 */
export async function inspect(
  source: Source,
  request: InspectRequest = {},
  options: CallOptions<InspectProgress> = {},
): Promise<InspectResult> {
  const file = await fileOf(source)
  return inspectFile(file, request, contextOf(file, options))
}

/**
 * Converts a file by a plan. What is made is read back and compared before it has its name, and a name is of a whole
 * file: where anything fails, nothing is there.
 * @throws {EngineError}
 * @throws {FileExists}
 */
export async function convert(
  source: Source,
  request: Omit<ConvertRequest, 'jobId'>,
  options: ConvertOptions,
): Promise<Converted> {
  const file = await fileOf(source)
  return making([source], options, (context) => convertFile(file, { jobId: '', ...request }, context))
}

/**
 * Makes one table of tables of several files, as `convert` makes one of a file.
 * @throws {EngineError} that names the file
 * @throws {FileExists}
 */
export async function combine(
  sources: readonly Source[],
  request: Omit<CombineRequest, 'jobId'>,
  options: ConvertOptions,
): Promise<Converted> {
  const files = await Promise.all(sources.map(fileOf))
  return making(sources, options, (context) => combineFiles(files, { jobId: '', ...request }, context))
}

/**
 * Reads a file again that a conversion has made, and compares each table in it with its receipt.
 * @returns for each of the receipts what differs; null where it doesn't say how its table is read
 * @throws {EngineError} when the file can't be read as a receipt says
 */
export async function verify(
  source: Source,
  receipts: readonly Receipt[],
  options: CallOptions<InspectProgress> = {},
): Promise<readonly (readonly Difference[] | null)[]> {
  const file = await fileOf(source)
  return verifyAgain(file, receipts, contextOf(file, options))
}

/** @returns the file's SHA-256, in hexadecimal */
export async function hash(source: Source, options: CallOptions<FileProgress> = {}): Promise<string> {
  const file = await fileOf(source)
  return sha256Of(file, {
    signal: signalOf(options),
    progress: (bytes) => options.onProgress?.({ bytes, totalBytes: file.size }),
  })
}

async function fileOf(source: Source): Promise<File> {
  if (typeof source === 'string') return openFile(source)
  return source instanceof File ? source : openFile(source.path, source.name)
}

const signalOf = ({ signal }: CallOptions<never>): AbortSignal => signal ?? new AbortController().signal

function contextOf(file: File, options: CallOptions<InspectProgress>): EngineContext {
  return {
    signal: signalOf(options),
    progress: (read) => options.onProgress?.({ ...read, totalBytes: file.size }),
  }
}

/** Has files made in a folder of their own, beside where they go: a rename makes them whole under their names. */
async function making(
  sources: readonly Source[],
  options: ConvertOptions,
  make: (context: {
    readonly signal: AbortSignal
    readonly progress: (progress: ConvertProgress) => void
    readonly storage: FileOutputs
  }) => Promise<ConvertResult>,
): Promise<Converted> {
  const { folder, name: own, replace = false, onProgress, finish } = options
  const signal = signalOf(options)
  signal.throwIfAborted()
  await makeFolder(folder)
  const aside = await mkdtemp(path.join(folder, '.rowhouse-'))
  try {
    const storage = new FileOutputs(aside)
    const result = await make({ signal, progress: (progress) => onProgress?.(progress), storage })
    const pathOf = ({ id }: Output): string => storage.pathOf(id)
    const extras = (await finish?.(result, pathOf)) ?? []
    signal.throwIfAborted()
    const placed = (output: Output): MadeFile => ({ ...output, path: path.join(folder, output.name) })
    const outputs = result.outputs.map((output) => placed({ ...output, name: own ?? output.name }))
    const rejectedFile = result.rejectedFile && placed(result.rejectedFile)
    const files = (rejectedFile ? [...outputs, rejectedFile] : outputs).map((output): readonly [string, string] => [
      pathOf(output),
      output.path,
    ])
    for (const { name, content } of extras) {
      const from = path.join(aside, name)
      await writeFile(from, content, { flag: 'wx' })
      files.push([from, path.join(folder, name)])
    }
    for (const [, to] of files) await refuseSource(to, sources)
    await publish(files, { replace })
    return { ...result, outputs, rejectedFile }
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** A source is never written over, not even where other files may be. */
async function refuseSource(file: string, sources: readonly Source[]): Promise<void> {
  if (await isSource(file, sources)) throw new FileExists(file, true)
}

/** Whether a path is one of the sources, by whatever name. */
export async function isSource(file: string, sources: readonly Source[]): Promise<boolean> {
  const real = await realpath(file).catch(() => null)
  if (real === null) return false
  for (const source of sources) {
    const own = typeof source === 'string' ? source : source instanceof File ? pathOfFile(source) : source.path
    if (own !== undefined && (await realpath(own).catch(() => null)) === real) return true
  }
  return false
}
