import type { DatasetRecord } from '../ports.ts'

/** Questions whose answers are kept at once. */
const MANY = 64

/** Datasets that were read, and how far changes to them were followed. */
export interface Followed {
  readonly records: readonly DatasetRecord[]
  /** The number of the last change, and a token of the last removal; null where changes have no numbers. */
  readonly upTo: { readonly change: number; readonly removal: string } | null
}

/** Datasets that were read, for as long as they are what they were: whoever asks tells by a token. */
export class KnownDatasets {
  private readonly answers = new Map<string, Followed & { readonly token: string }>()

  /**
   * What `load` finds, or what it found when the datasets had this token: the same list then.
   * @param load is given what was found last, when the token was another one
   */
  async read(
    token: string,
    question: string,
    load: (before: Followed | undefined) => Promise<Followed>,
  ): Promise<readonly DatasetRecord[]> {
    const before = this.answers.get(question)
    if (before?.token === token) return before.records
    const found = await load(before)
    this.answers.delete(question)
    const [oldest] = this.answers.keys()
    if (oldest !== undefined && this.answers.size >= MANY) this.answers.delete(oldest)
    this.answers.set(question, { ...found, token })
    return found.records
  }
}
