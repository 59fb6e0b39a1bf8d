import { formatBytes } from '../lib/bytes.ts'
import { compareFingerprints } from './compare.ts'
import type { Difference, Receipt, ReceiptPart } from './receipt.ts'
import { formatCount, plural } from '../lib/counts.ts'
import { failedOf } from './checking.ts'

/** File names of receipts. Browsers number duplicates: `orders.receipt (1).json`. */
export const RECEIPT_FILE = /\.receipt( \(\d+\))?\.json$/i

/** A file that a receipt mentions. */
export interface NamedFile {
  readonly role: 'source' | 'output'
  readonly name: string
  readonly size: number
  readonly sha256: string | undefined
  /** For an output: the receipts of its tables. */
  readonly receipts: readonly Receipt[]
}

/** All files that the receipts mention, without duplicates: outputs, then sources. */
export function namedFiles(receipts: readonly Receipt[]): NamedFile[] {
  const files = new Map<string, NamedFile>()
  const add = (
    role: NamedFile['role'],
    file: Pick<NamedFile, 'name' | 'size'> & { sha256?: string },
    of: Receipt[],
  ) => {
    const { name, size, sha256 } = file
    const key = JSON.stringify([role, name, size, sha256])
    files.set(key, { role, name, size, sha256, receipts: [...(files.get(key)?.receipts ?? []), ...of] })
  }
  for (const receipt of receipts) {
    if (receipt.parts) for (const part of receipt.parts) add('output', part, [])
    else add('output', receipt.output, [receipt])
  }
  for (const { source, sources } of receipts) for (const file of sources ?? [source]) add('source', file, [])
  return [...files.values()]
}

/**
 * Indexes of the files that this one may be: those with its name, else those with its size, among which only the hash
 * can decide.
 */
export function candidatesFor(named: readonly NamedFile[], { name, size }: Pick<File, 'name' | 'size'>): number[] {
  const places = (isOne: (file: NamedFile) => boolean): number[] => named.flatMap((file, i) => (isOne(file) ? [i] : []))
  const byName = places((file) => file.name === name)
  return byName.length > 0 ? byName : places((file) => file.size === size && file.sha256 !== undefined)
}

/** Decides between candidates by the hash; null if only the size matches. */
export function chosenOf(
  named: readonly NamedFile[],
  candidates: readonly number[],
  { name, size }: Pick<File, 'name' | 'size'>,
  sha256: string,
): number | null {
  const find = (isOne: (file: NamedFile) => boolean): number | undefined =>
    candidates.find((i) => named[i] !== undefined && isOne(named[i]))
  return (
    find((file) => file.sha256 === sha256) ??
    find((file) => file.name === name && file.size === size) ??
    find((file) => file.name === name) ??
    null
  )
}

/** Contradictions within a receipt, in sentences for people; empty if there are none. */
export function contradictions(receipts: readonly Receipt[]): string[] {
  const found = receipts.flatMap(({ expected, found: print, verdict, differences, sources, parts }) => [
    ...wrongVerdict(verdict, differences.length + compareFingerprints(expected, print).length),
    ...(sources && !addUp(sources, print) ? ['Its files’ rows or checksums don’t add up to the whole.'] : []),
    ...(parts && !addUp(parts, print)
      ? ['The rows or checksums of the files that were made don’t add up to the whole.']
      : []),
  ])
  return [...new Set(found)]
}

function wrongVerdict(verdict: Receipt['verdict'], differences: number): string[] {
  if (verdict === 'match' && differences > 0) {
    return ['It says that the new file is the same as the source, but its own figures differ.']
  }
  return verdict === 'mismatch' && differences === 0
    ? ['It says that the new file isn’t the same as the source, but its own figures are the same.']
    : []
}

/**
 * Problems that the receipts themselves report about the conversion, in sentences for people; empty if there are none.
 */
export function reservations(receipts: readonly Receipt[]): string[] {
  const sum = (count: (receipt: Receipt) => number): number => receipts.reduce((all, each) => all + count(each), 0)
  const leftOut = sum(({ rejectedRows }) => rejectedRows)
  const failed = sum(({ checks = [] }) => failedOf(checks).length)
  return [
    ...(receipts.some(({ verdict }) => verdict === 'mismatch') ? ['The new file isn’t the same as the source.'] : []),
    ...(leftOut > 0 ? [`${plural(leftOut, 'row')} ${leftOut === 1 ? 'was' : 'were'} left out.`] : []),
    ...(failed > 0 ? [`${plural(failed, 'check')} failed.`] : []),
  ]
}

function addUp(
  files: readonly Pick<ReceiptPart, 'rows' | 'rowChecksum'>[],
  { rows, rowChecksum }: Receipt['found'],
): boolean {
  const sum = files.reduce((all, file) => all + BigInt(`0x${file.rowChecksum}`), 0n)
  return (
    files.reduce((all, file) => all + file.rows, 0) === rows && BigInt.asUintN(64, sum) === BigInt(`0x${rowChecksum}`)
  )
}

/** What was found when comparing a file. */
export interface Findings {
  readonly size: number
  readonly sha256: string
  /** For each receipt; null if its table can't be read back. Absent for a source. */
  readonly differences?: readonly (readonly Difference[] | null)[]
  /** Why it couldn't be read as the receipt says. */
  readonly unreadable?: string
}

export interface Outcome {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  /** What was compared, with the result. */
  readonly sentences: readonly string[]
  /** Differences between the file and the receipt, by table. */
  readonly differences: readonly { readonly table: string | null; readonly found: readonly Difference[] }[]
}

/** Describes the comparison of a file with a receipt. It claims nothing that wasn't compared. */
export function outcomeOf(named: NamedFile, findings: Findings): Outcome {
  const { differences = [], unreadable } = findings
  const bytes = bytesOf(named, findings)
  const differing = differences.flatMap((found, i) =>
    found && found.length > 0 ? [{ table: tableOf(named, i), found }] : [],
  )
  const read = differences.length > 0 && !differences.includes(null)
  const held = valuesOf(named, read, differing.length > 0, unreadable)
  const sentences = [bytes.sentence, ...held]
  const isOther = differing.length > 0 || unreadable !== undefined
  if (bytes.same === true && !isOther) {
    return {
      tone: 'good',
      title: 'This is the file that the receipt is about; it hasn’t changed.',
      sentences,
      differences: [],
    }
  }
  if (bytes.same === true) {
    const title = 'The file hasn’t changed, but it isn’t what the receipt says.'
    const why =
      'Either the receipt was changed, or this version of Rowhouse reads the file differently from the one that made it.'
    return { tone: 'bad', title, sentences: [...sentences, why], differences: differing }
  }
  if (isOther) {
    const title =
      bytes.same === null
        ? 'This isn’t the file that the receipt is about.'
        : 'The file has changed, or it isn’t the one that the receipt is about.'
    return { tone: 'bad', title, sentences, differences: differing }
  }
  if (read && bytes.same === false) {
    return { tone: 'warn', title: 'The file’s bytes have changed; what it holds hasn’t.', sentences, differences: [] }
  }
  if (read) return { tone: 'good', title: 'The file holds what the receipt says.', sentences, differences: [] }
  if (bytes.same === false) {
    const title = 'The file has changed, or it isn’t the one that the receipt is about.'
    return { tone: 'bad', title, sentences, differences: [] }
  }
  return { tone: 'warn', title: 'The receipt says too little to decide.', sentences, differences: [] }
}

/** Whether the bytes are equal; null if the receipt has nothing to compare. */
function bytesOf(
  named: NamedFile,
  { size, sha256 }: Findings,
): { readonly same: boolean | null; readonly sentence: string } {
  if (size !== named.size) {
    return { same: false, sentence: `It has ${bytesIn(size)}; on the receipt it has ${bytesIn(named.size)}.` }
  }
  if (named.sha256 === undefined) {
    return {
      same: null,
      sentence: 'It’s as large as the receipt says. The receipt has no hash, so its bytes couldn’t be compared.',
    }
  }
  return sha256 === named.sha256
    ? { same: true, sentence: 'Its SHA-256 is the one on the receipt.' }
    : { same: false, sentence: 'It’s as large as the receipt says, but its SHA-256 is another.' }
}

function valuesOf(
  { role, receipts }: NamedFile,
  read: boolean,
  differs: boolean,
  unreadable: string | undefined,
): string[] {
  if (role === 'source') return []
  if (unreadable !== undefined) return [`It can’t be read as the receipt says: ${unreadable}`]
  if (!read) return ['The receipt doesn’t say how to read it again, so its values weren’t compared.']
  if (differs) return ['It was read again, and isn’t what the receipt says:']
  const rows = receipts.reduce((sum, { found }) => sum + found.rows, 0)
  const columns = receipts.reduce((sum, { found }) => sum + found.columns.length, 0)
  const what = `${plural(rows, 'row')}, ${plural(columns, 'column')}`
  return [`It was read again: ${what}, and every type, sum and checksum as on the receipt.`]
}

const tableOf = ({ receipts }: NamedFile, i: number): string | null =>
  receipts.length > 1 ? (receipts[i]?.output.readBack?.tables.join(', ') ?? null) : null

const bytesIn = (size: number): string =>
  size < 1024 ? `${formatCount(size)} bytes` : `${formatCount(size)} bytes (${formatBytes(size)})`
