import { formatCount } from '../lib/counts.ts'
import type { CheckOutcome } from './checks.ts'
import { failedOf } from './checking.ts'
import type { Receipt } from './receipt.ts'

/* Results of conversions, as far as receipts describe them. */

/** An output file. */
interface MadeFile {
  readonly id: string
  readonly name: string
  readonly receipts: readonly Receipt[]
}

interface Made<T extends MadeFile = MadeFile> {
  readonly outputs: readonly T[]
}

/** The failed checks of the outputs. */
export function failedChecks({ outputs }: Made): CheckOutcome[] {
  return outputs.flatMap(({ receipts }) => receipts.flatMap(({ checks }) => failedOf(checks ?? [])))
}

/**
 * Why the output needs confirmation: `37 rows don’t fit and aren’t in the file, 2 checks failed`; empty if it doesn't.
 */
export function whyHeld(made: Made & { readonly rejectedCount: number }): string {
  const { rejectedCount: rows } = made
  const checks = failedChecks(made).length
  return [
    ...(rows > 0
      ? [
          rows === 1
            ? '1 row doesn’t fit and isn’t in the file'
            : `${formatCount(rows)} rows don’t fit and aren’t in the file`,
        ]
      : []),
    ...(checks > 0 ? [checks === 1 ? '1 check failed' : `${formatCount(checks)} checks failed`] : []),
  ].join(', ')
}

/** SHA-256 hashes of a conversion's files. */
export interface Hashes {
  /** Of the sources, in order; undefined for files that aren't available. */
  readonly sources: readonly (string | undefined)[]
  /** Of the outputs, by id. */
  readonly outputs: ReadonlyMap<string, string>
}

/** Computes a file's SHA-256. */
interface Hashing<Source, Output> {
  source(file: Source): Promise<string>
  output(output: Output): Promise<string>
}

/**
 * Computes the hashes that the receipts lack.
 * @param sources the converted files, as far as they are available
 * @throws the error of `hashing`, if a file can't be read any more
 */
export async function hashesOf<Source, Output extends MadeFile>(
  { outputs }: Made<Output>,
  sources: readonly Source[],
  hashing: Hashing<Source, Output>,
): Promise<Hashes> {
  const receipts = outputs.flatMap((output) => output.receipts)
  const known = new Map<Source, string>()
  if (receipts.some((receipt) => sourcesOf(receipt).some(({ sha256 }) => sha256 === undefined))) {
    // Several sheets of one workbook can be combined: hash it once.
    for (const file of new Set(sources)) known.set(file, await hashing.source(file))
  }
  const made = new Map<string, string>()
  for (const output of outputs) {
    if (placesOf(output, receipts).every(({ sha256 }) => sha256 !== undefined)) continue
    made.set(output.id, await hashing.output(output))
  }
  return { sources: sources.map((file) => known.get(file)), outputs: made }
}

const sourcesOf = ({ source, sources }: Receipt): readonly { readonly sha256?: string }[] => sources ?? [source]

/** The entries for an output in the receipts. If a table was split, it's one of the parts. */
function placesOf({ name, receipts: own }: MadeFile, all: readonly Receipt[]): readonly { readonly sha256?: string }[] {
  const parts = all.flatMap((receipt) => receipt.parts ?? []).filter((part) => part.name === name)
  return [...parts, ...own.filter((receipt) => !receipt.parts).map((receipt) => receipt.output)]
}

/** Adds hashes to the receipts. */
export function withHashes<Output extends MadeFile, T extends Made<Output>>(
  result: T & Made<Output>,
  { sources, outputs }: Hashes,
): T {
  const byName = new Map(result.outputs.map(({ id, name }) => [name, outputs.get(id)]))
  return {
    ...result,
    outputs: result.outputs.map((output) => ({
      ...output,
      receipts: output.receipts.map((receipt) => ({
        ...receipt,
        ...(receipt.sources
          ? { sources: receipt.sources.map((source, i) => sealed(source, sources[i])) }
          : { source: sealed(receipt.source, sources[0]) }),
        ...(receipt.parts
          ? { parts: receipt.parts.map((part) => sealed(part, byName.get(part.name))) }
          : { output: sealed(receipt.output, outputs.get(output.id)) }),
      })),
    })),
  }
}

const sealed = <T extends object>(file: T, sha256: string | undefined): T => (sha256 ? { ...file, sha256 } : file)
