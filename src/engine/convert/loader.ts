import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'

/** An engine that loads tables, one at a time. */
export interface Loader {
  readonly db: Database
  /** Whose registered files it reaches. */
  readonly folder: string
}

const MEMORY_LIMIT = '1GB'
/** Milliseconds that an engine waits for the next table: a dataset's files come one after another. */
const PATIENCE = 10_000

let waiting: Loader | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** The engine that was handed back last, or a new one: starting one takes longer than loading most files. */
export async function takeLoader(): Promise<Loader> {
  const taken = waiting
  waiting = null
  clearTimeout(timer)
  if (taken) return taken
  const folder = `/${crypto.randomUUID()}/`
  return { db: await openDatabase({ folder, memoryLimit: MEMORY_LIMIT }), folder }
}

/** Hands an engine back, as it was. One in which something failed isn't. */
export function giveLoader(loader: Loader): void {
  waiting = loader
  clearTimeout(timer)
  timer = setTimeout(() => (waiting = null), PATIENCE)
}
