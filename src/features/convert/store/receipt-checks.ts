import type { EngineClient, FileProgress } from '../../../engine/client.ts'
import { isAbort } from '../../../lib/abort.ts'
import { Store } from '../../../lib/store.ts'
import { measure } from '../../../ui/overlays/files-dropped.ts'
import { toFailure } from '../model/failure.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import {
  candidatesFor,
  chosenOf,
  contradictions,
  namedFiles,
  outcomeOf,
  type NamedFile,
  type Outcome,
} from '../../../tables/receipt-check.ts'

export type FileCheck =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly phase: 'hashing' | 'reading'; readonly progress: FileProgress | null }
  | { readonly kind: 'done'; readonly fileName: string; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly fileName: string; readonly message: string }

/** A receipt, and the files that are compared with it. */
export interface ReceiptCheck {
  readonly id: string
  readonly fileName: string
  readonly receipts: readonly Receipt[]
  /** Why it can't be used, or how it contradicts itself. */
  readonly problems: readonly string[]
  readonly named: readonly NamedFile[]
  /** One for each file that it names. */
  readonly checks: readonly FileCheck[]
  /** Names of files that aren't in the receipt. */
  readonly foreign: readonly string[]
}

/** Larger files aren't receipts. In bytes. */
const MOST_BYTES = 64 * 2 ** 20

const WAITING: FileCheck = { kind: 'waiting' }

/** Receipts that were added, and the results of comparing files with them, as long as the page lives. */
export class ReceiptChecks extends Store<readonly ReceiptCheck[]> {
  private readonly running = new Map<string, AbortController>()
  private readonly client: Pick<EngineClient, 'hash' | 'verify'>
  private readonly newId: () => string

  constructor(client: Pick<EngineClient, 'hash' | 'verify'>, newId: () => string) {
    super([])
    this.client = client
    this.newId = newId
  }

  /**
   * Starts to compare files with receipts that were added together.
   * @param foreign called with files that turn out to be in none of the receipts
   * @returns the files that are in none of the receipts by their names and sizes
   */
  async add(receipts: readonly File[], files: readonly File[], foreign: (file: File) => void): Promise<File[]> {
    const checks = await Promise.all(receipts.map((file) => this.read(file)))
    if (checks.length > 0) await measure(files)
    this.set([...checks, ...this.state])
    return files.filter((file) => {
      const those = checks.filter(({ named }) => candidatesFor(named, file).length > 0)
      for (const { id } of those) {
        void this.check(id, file).then((isNamed) => {
          if (!isNamed) foreign(file)
        })
      }
      return those.length === 0
    })
  }

  /** Compares more files with a receipt; those that aren't in it are listed. */
  compare(id: string, files: readonly File[]): void {
    for (const file of files) {
      void this.check(id, file).then((isNamed) => {
        if (!isNamed) this.update(id, (check) => ({ ...check, foreign: [...check.foreign, file.name] }))
      })
    }
  }

  cancel(id: string, place: number): void {
    this.running.get(keyOf(id, place))?.abort()
  }

  remove(id: string): void {
    const check = this.state.find((each) => each.id === id)
    for (const place of check?.named.keys() ?? []) this.cancel(id, place)
    this.set(this.state.filter((each) => each.id !== id))
  }

  private async read(file: File): Promise<ReceiptCheck> {
    const empty = { id: this.newId(), fileName: file.name, receipts: [], named: [], checks: [], foreign: [] }
    try {
      if (file.size > MOST_BYTES) return { ...empty, problems: ['It’s too large to be a receipt.'] }
      const { fromReceiptFile } = await import('../../../tables/files/receipt-file.ts')
      const receipts = fromReceiptFile(await file.text())
      const named = namedFiles(receipts)
      return { ...empty, receipts, named, checks: named.map(() => WAITING), problems: contradictions(receipts) }
    } catch (error) {
      return { ...empty, problems: [error instanceof Error ? error.message : 'It can’t be read.'] }
    }
  }

  /** Compares a file with a receipt. Returns whether the receipt contains it. */
  private async check(id: string, file: File): Promise<boolean> {
    const check = this.state.find((each) => each.id === id)
    // If a source and an output have the same bytes, the one that wasn't compared yet is meant.
    const isWaiting = (at: number): boolean => check?.checks[at]?.kind === 'waiting'
    const candidates = candidatesFor(check?.named ?? [], file).sort(
      (a, b) => Number(isWaiting(b)) - Number(isWaiting(a)),
    )
    const [first] = candidates
    if (!check || first === undefined) return false
    let place = first
    const abort = new AbortController()
    const begin = (at: number): void => {
      this.cancel(id, at)
      this.running.set(keyOf(id, at), abort)
    }
    const run = (phase: 'hashing' | 'reading') => {
      this.say(id, place, { kind: 'running', phase, progress: null })
      const onProgress = (progress: FileProgress): void => {
        if (!abort.signal.aborted) this.say(id, place, { kind: 'running', phase, progress }, true)
      }
      return { signal: abort.signal, onProgress }
    }
    begin(place)
    try {
      const sha256 = await this.client.hash(file, run('hashing'))
      const chosen = chosenOf(check.named, candidates, file, sha256)
      if (chosen !== place) {
        this.say(id, place, WAITING)
        if (chosen === null) return false
        begin((place = chosen))
      }
      const named = check.named[place]
      if (!named) return false
      const found = { size: file.size, sha256 }
      const read = named.role === 'source' ? {} : await this.readAgain(file, named, run('reading'))
      this.say(id, place, { kind: 'done', fileName: file.name, outcome: outcomeOf(named, { ...found, ...read }) })
    } catch (error) {
      if (isAbort(error)) {
        // Another file may have been added in its place meanwhile.
        if (this.running.get(keyOf(id, place)) === abort) this.say(id, place, WAITING)
        return true
      }
      this.say(id, place, { kind: 'failed', fileName: file.name, message: toFailure(error).message })
    }
    return true
  }

  private async readAgain(
    file: File,
    { receipts }: NamedFile,
    options: NonNullable<Parameters<EngineClient['verify']>[2]>,
  ): Promise<Pick<Parameters<typeof outcomeOf>[1], 'differences' | 'unreadable'>> {
    try {
      return { differences: await this.client.verify(file, { receipts }, options) }
    } catch (error) {
      if (isAbort(error)) throw error
      const { message, place } = toFailure(error)
      return { unreadable: place === null ? message : `${message} (${place})` }
    }
  }

  private say(id: string, place: number, next: FileCheck, soon = false): void {
    this.update(id, (check) => ({ ...check, checks: check.checks.map((old, i) => (i === place ? next : old)) }), soon)
  }

  private update(id: string, change: (check: ReceiptCheck) => ReceiptCheck, soon = false): void {
    this.set(
      this.state.map((check) => (check.id === id ? change(check) : check)),
      soon,
    )
  }
}

const keyOf = (id: string, place: number): string => `${id} ${place}`
