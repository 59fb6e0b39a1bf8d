import { formatCount } from '../lib/counts.ts'
import { failedOf, type CheckOutcome } from './checks.ts'
import type { Receipt } from './receipt.ts'

/* What conversions make, as far as their receipts go. */

/** A file that was made. */
interface MadeFile {
  readonly id: string
  readonly name: string
  readonly receipts: readonly Receipt[]
}

interface Made<T extends MadeFile = MadeFile> {
  readonly outputs: readonly T[]
}

/** The checks that rows of what was made failed. */
export function failedChecks({ outputs }: Made): CheckOutcome[] {
  return outputs.flatMap(({ receipts }) => receipts.flatMap(({ checks }) => failedOf(checks ?? [])))
}

/** `37 rows don’t fit and aren’t in the file, 2 checks failed`; empty where nothing is to be agreed to. */
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

/** Of the files of a conversion. */
export interface Hashes {
  /** Of what was converted, in order; undefined where a file isn't at hand. */
  readonly sources: readonly (string | undefined)[]
  /** Of what was made, by the outputs' ids. */
  readonly outputs: ReadonlyMap<string, string>
}

/** What tells a file's SHA-256. */
interface Hashing<Source, Output> {
  source(file: Source): Promise<string>
  output(output: Output): Promise<string>
}

/**
 * The hashes that receipts lack.
 * @param sources the files that were converted, as far as they're at hand
 * @throws what the hashing does, when one of them can't be read any more
 */
export async function hashesOf<Source, Output extends MadeFile>(
  { outputs }: Made<Output>,
  sources: readonly Source[],
  hashing: Hashing<Source, Output>,
): Promise<Hashes> {
  const receipts = outputs.flatMap((output) => output.receipts)
  const known = new Map<Source, string>()
  if (receipts.some((receipt) => sourcesOf(receipt).some(({ sha256 }) => sha256 === undefined))) {
    // Several sheets of a workbook can be combined: it's hashed once.
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

/** Where the output is on receipts: a file that a table was split into is one of several on one of them. */
function placesOf({ name, receipts: own }: MadeFile, all: readonly Receipt[]): readonly { readonly sha256?: string }[] {
  const parts = all.flatMap((receipt) => receipt.parts ?? []).filter((part) => part.name === name)
  return [...parts, ...own.filter((receipt) => !receipt.parts).map((receipt) => receipt.output)]
}

/** What was made, with hashes on its receipts. */
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
