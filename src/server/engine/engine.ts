import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { combineFiles } from '../../engine/convert/combine.ts'
import { convertFile } from '../../engine/convert/convert.ts'
import { inspectFile } from '../../engine/convert/inspect.ts'
import type { ConvertProgress, ConvertRequest, ConvertResult, Output } from '../../engine/convert/protocol.ts'
import type { FileProgress, InspectProgress, CombineRequest } from '../../engine/convert/calls.ts'
import type { InspectResult } from '../../engine/convert/inspection-types.ts'
import { verifyAgain } from '../../engine/convert/verify-again.ts'
import type { EngineContext } from '../../engine/formats/types.ts'
import { sha256Of } from '../../engine/io/sha256.ts'
import type { Difference, Receipt } from '../../tables/receipt.ts'
import { makeFolder, openFile, pathOf as pathOfFile } from './files.ts'
import { FileExists, FileOutputs, publish } from './outputs.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'

/*
 * The engine in Node: the functions that the browser's workers run, for files on disk. Calls keep their thread busy,
 * but check their signal at least every 100 ms.
 */

/** A file's path, a path with another name for receipts, or a file that is already open. */
export type Source = string | File | { readonly path: string; readonly name: string }

export interface CallOptions<Progress> {
  /** Cancels the call, which rejects with the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal
  /** Called often. */
  readonly onProgress?: (progress: Progress) => void
}

/** An output and its path. */
export interface MadeFile extends Output {
  readonly path: string
}

/** The engine's result, with paths. */
export interface Converted extends Omit<ConvertResult, 'outputs' | 'rejectedFile'> {
  readonly outputs: readonly MadeFile[]
  readonly rejectedFile: MadeFile | null
}

export interface ConvertOptions extends CallOptions<ConvertProgress> {
  /** The output folder, which is created if it doesn't exist. */
  readonly folder: string
  /** The name of the only output; by default the source's with the target's extension. */
  readonly name?: string
  /** Whether to overwrite existing files; otherwise the call rejects with `FileExists`. */
  readonly replace?: boolean
  /**
   * Called with the result before outputs get their names. If it rejects, nothing is left behind. The files that it
   * returns are written to the output folder, too.
   * @param pathOf returns an output's temporary path
   */
  readonly finish?: (result: ConvertResult, pathOf: (output: Output) => string) => Promise<readonly ExtraFile[]>
}

/** A file to write beside the outputs. */
export interface ExtraFile {
  readonly name: string
  readonly content: string
}

/**
 * Reads a whole file and describes its tables, with the first rows of each.
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
 * Converts a file with a plan. Outputs are read back and compared before they get their names. If anything fails,
 * nothing is left behind.
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
 * Combines tables of several files into one; otherwise like `convert`.
 * @throws {EngineError} whose message names the file
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
 * Reads a conversion's output, and compares each table with its receipt.
 * @returns each receipt's differences, or null if it doesn't say how to read its table
 * @throws {EngineError} if the file can't be read as a receipt says
 */
export async function verify(
  source: Source,
  receipts: readonly Receipt[],
  options: CallOptions<InspectProgress> = {},
): Promise<readonly (readonly Difference[] | null)[]> {
  const file = await fileOf(source)
  return verifyAgain(file, receipts, contextOf(file, options))
}

/** @returns the file's SHA-256 in hexadecimal */
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

/** Has files written to a temporary folder within the output folder, and renames them when all are complete. */
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

/** Sources are never overwritten, not even with `replace`. */
async function refuseSource(file: string, sources: readonly Source[]): Promise<void> {
  if (await isSource(file, sources)) throw new FileExists(file, true)
}

/** Whether a path leads to one of the sources, even through links. */
export async function isSource(file: string, sources: readonly Source[]): Promise<boolean> {
  const real = await realpath(file).catch(() => null)
  if (real === null) return false
  for (const source of sources) {
    const own = typeof source === 'string' ? source : source instanceof File ? pathOfFile(source) : source.path
    if (own !== undefined && (await realpath(own).catch(() => null)) === real) return true
  }
  return false
}
