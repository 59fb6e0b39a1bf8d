import path from 'node:path'
import type { ConvertProgress, ConvertResult, Output } from '../../../engine/convert/protocol.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { toReceiptFile } from '../../../tables/files/receipt-file.ts'
import { failedChecks, hashesOf, withHashes } from '../../../tables/outputs.ts'
import type { RejectedRow } from '../../../tables/plan.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { hash, isSource, type Converted, type ConvertOptions, type Source } from '../../engine/engine.ts'
import { exists } from '../../engine/files.ts'
import { FileExists } from '../../engine/outputs.ts'
import type { Io, ProgressLine } from '../io.ts'
import { rowsOf, shareOf } from '../reading.ts'
import { shownPath } from '../paths.ts'
import { checkLines, failureOf, noteLines, sentenceOf, type Failure } from '../words.ts'
import { Held, refuseHeld } from './held.ts'
import type { Settings } from './settings.ts'
import { extensionOf } from '../../../tables/file-names.ts'

/** Where to print results and progress. */
export interface Context {
  readonly io: Io
  readonly progress: ProgressLine
  /** Whether to print text for people instead of JSON. */
  readonly isPlain: boolean
}

/** A conversion of one file, or of several that are combined. */
export interface Work {
  /** Names the sources in messages. */
  readonly label: string
  /** In the order of a receipt's sources. */
  readonly sources: readonly Source[]
  readonly folder: string
  /** The beginning of outputs' names. */
  readonly stem: string
  /** Whether there's one output, named only by the stem. */
  readonly isOne: boolean
  readonly make: (options: ConvertOptions) => Promise<Converted>
}

/** For programs. */
export type Outcome =
  | {
      readonly status: 'done'
      readonly outputs: readonly {
        readonly path: string
        readonly size: number
        readonly receipts: readonly Receipt[]
      }[]
      readonly rejected: {
        readonly count: number
        readonly path: string | null
        readonly first: readonly RejectedRow[]
      }
      readonly receipt: string | null
    }
  | {
      readonly status: 'held'
      readonly error: Failure
      readonly rejected?: { count: number; first: readonly RejectedRow[] }
    }
  | { readonly status: 'failed'; readonly error: Failure }

/**
 * Converts, prints the outcome for people if they read it, and returns it for programs.
 * @param label names the sources in messages if `begin` fails
 * @param begin inspects the sources
 */
export async function outcomeOf(
  label: string,
  begin: () => Promise<Work>,
  settings: Settings,
  { io, progress, isPlain }: Context,
): Promise<Outcome> {
  try {
    const work = await begin()
    const converted = await making(work, settings, io, progress)
    progress.clear()
    if (isPlain) await io.out(doneLines(work, converted, settings, io))
    return {
      status: 'done',
      outputs: converted.outputs.map(({ path: at, size, receipts }) => ({ path: at, size, receipts })),
      rejected: {
        count: converted.rejectedCount,
        path: converted.rejectedFile?.path ?? null,
        first: converted.rejected,
      },
      receipt: settings.receipt ? path.join(work.folder, receiptName(work)) : null,
    }
  } catch (error) {
    progress.clear()
    io.signal.throwIfAborted()
    const failure = failureOf(error)
    if (!(error instanceof Held)) {
      if (isPlain) io.err(`${label}: ${sentenceOf(failure)}\n`)
      return { status: 'failed', error: failure }
    }
    if (isPlain) io.err(`${label}: held. ${[sentenceOf(failure), ...error.lines].join('\n')}\n`)
    const { result } = error
    const rejected = result ? { rejected: { count: result.rejectedCount, first: result.rejected } } : {}
    return { status: 'held', error: failure, ...rejected }
  }
}

const receiptName = ({ stem }: Work): string => `${stem}.receipt.json`

async function making(work: Work, settings: Settings, io: Io, progress: ProgressLine): Promise<Converted> {
  const { replace, receipt, accepts } = settings
  const { label, folder } = work
  if (!replace) await refuseTaken(work, settings)
  let sealed: readonly Receipt[][] | null = null
  const converted = await work.make({
    folder,
    replace,
    signal: io.signal,
    onProgress: (state) => progress.show(() => `${label}: ${progressWords(state)}`),
    finish: async (result, pathOf) => {
      refuseHeld(result, accepts)
      if (!receipt) return []
      progress.show(() => `${label}: hashing`)
      const receipts = await withSums(work, result, pathOf, io.signal)
      sealed = receipts
      const content = `${JSON.stringify(toReceiptFile(receipts.flat()), null, 2)}\n`
      return [{ name: receiptName(work), content }]
    },
  })
  if (!sealed) return converted
  const receipts: readonly Receipt[][] = sealed
  return { ...converted, outputs: converted.outputs.map((output, i) => ({ ...output, receipts: receipts[i] })) }
}

/** Each output's receipts with hashes of the sources and the output. */
async function withSums(
  { sources }: Work,
  result: ConvertResult,
  pathOf: (output: Output) => string,
  signal: AbortSignal,
): Promise<Receipt[][]> {
  const hashes = await hashesOf<Source, Output>(result, sources, {
    source: (source) => hash(source, { signal }),
    output: (output) => hash(pathOf(output), { signal }),
  })
  return withHashes(result, hashes).outputs.map(({ receipts }) => [...receipts])
}

/** Fails before the conversion if the output's name is already known and taken. */
async function refuseTaken({ folder, stem, isOne, sources }: Work, { written }: Settings): Promise<void> {
  if (written.split || !isOne) return
  const name = path.join(folder, `${stem}.${extensionOf(written)}`)
  if (await exists(name)) throw new FileExists(name, await isSource(name, sources))
}

const PHASES = { convert: 'converting', shape: 'shaping', split: 'splitting', verify: 'comparing' } as const

function progressWords({
  phase,
  bytes,
  totalBytes,
  rows,
  table,
  tables,
  file = 0,
  files = 1,
}: ConvertProgress): string {
  const which = tables > 1 ? ` table ${table + 1} of ${tables}` : ''
  const part = files > 1 ? ` file ${formatCount(file + 1)} of ${formatCount(files)}` : ''
  return `${PHASES[phase]}${which}${part}, ${shareOf(bytes, totalBytes)}${rowsOf(rows)}`
}

function doneLines(work: Work, converted: Converted, settings: Settings, io: Io): string {
  const { outputs, rejectedCount, rejectedFile } = converted
  const shown = (at: string): string => shownPath(at, io.folder)
  const receipts = outputs.flatMap((output) => output.receipts)
  const parts = new Map(receipts.flatMap((receipt) => receipt.parts ?? []).map((part) => [part.name, part.rows]))
  const lines = outputs.map(({ path: at, name, size, receipts: own }) => {
    const rows = parts.get(name) ?? own.reduce((sum, { found }) => sum + found.rows, 0)
    return `${work.label} → ${shown(at)}: ${plural(rows, 'row')}, ${formatBytes(size)}; read back and compared, the same`
  })
  lines.push(...noteLines(receipts.flatMap(({ changes }) => changes)))
  lines.push(...noteLines(receipts.flatMap(({ notes }) => notes.filter(({ doubt }) => doubt === true))))
  if (rejectedFile) {
    const [are, they] = rejectedCount === 1 ? ['doesn’t', 'It’s'] : ['don’t', 'They’re']
    lines.push(`  ${plural(rejectedCount, 'row')} ${are} fit. ${they} in ${shown(rejectedFile.path)}.`)
  }
  lines.push(...checkLines(failedChecks(converted)))
  if (settings.receipt) lines.push(`  Receipt: ${shown(path.join(work.folder, receiptName(work)))}`)
  return `${lines.join('\n')}\n`
}
