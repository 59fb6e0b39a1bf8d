import type { DatasetRecord } from '../ports.ts'

/** Questions whose answers are kept at once. */
const MANY = 64

/** Datasets that were read, for as long as they are what they were: whoever asks tells by a token. */
export class KnownDatasets {
  private token: string | null = null
  private readonly answers = new Map<string, DatasetRecord[]>()

  /** What `load` finds, or what it found when the datasets had this token. */
  async read(token: string, question: string, load: () => Promise<DatasetRecord[]>): Promise<DatasetRecord[]> {
    const hit = token === this.token ? this.answers.get(question) : undefined
    if (hit) return [...hit]
    const records = await load()
    if (token !== this.token) this.answers.clear()
    this.token = token
    const [oldest] = this.answers.keys()
    if (oldest !== undefined && this.answers.size >= MANY) this.answers.delete(oldest)
    this.answers.set(question, records)
    return [...records]
  }
}
