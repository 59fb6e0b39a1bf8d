import { handleOf } from '../../../ui/files-dropped.ts'
import type { Job } from '../model/job.ts'
import type { JobRecord } from '../model/records.ts'
import type { ConvertDatabase, KeptSource } from './database.ts'
import type { Added } from './store.ts'

/** The largest file that is copied, and what a tab copies in all. Bytes. */
const MOST_OF_ONE = 16 * 1024 * 1024
const MOST_OF_ALL = 256 * 1024 * 1024

/** Not in every browser, and so not in TypeScript's own types. */
type AskableHandle = FileSystemFileHandle & {
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
}

/** What opens the files of interrupted jobs again: a file's handle where the browser gave one, else a copy. */
export class Sources {
  private readonly database: ConvertDatabase
  private readonly kept = new Set<string>()
  private copied = 0

  constructor(database: ConvertDatabase) {
    this.database = database
  }

  /** Whether this tab kept the job's source. */
  has(id: string): boolean {
    return this.kept.has(id)
  }

  /** Keeps what can be kept of jobs that are new. A full disk keeps less, and `has` tells. */
  async keep(jobs: readonly Job[]): Promise<void> {
    const sources = jobs.flatMap(({ id, file }): KeptSource[] => {
      const handle = handleOf(file)
      if (handle) return [{ id, source: handle }]
      if (file.size > MOST_OF_ONE || this.copied + file.size > MOST_OF_ALL) return []
      this.copied += file.size
      return [{ id, source: file }]
    })
    await this.database.putSources(sources)
    for (const { id } of sources) this.kept.add(id)
  }

  /** Opens the files of interrupted jobs. The person may be asked; what they refuse, or what is gone, is left out. */
  async open(records: readonly JobRecord[]): Promise<Added[]> {
    const kept = await this.database.sources(records.map(({ id }) => id))
    const byId = new Map(records.map((record) => [record.id, record]))
    const opened: Added[] = []
    for (const { id, source } of kept) {
      const file = source instanceof File ? source : await reopen(source)
      if (file) opened.push({ file, earlier: byId.get(id) ?? null })
    }
    return opened
  }
}

async function reopen(handle: AskableHandle): Promise<File | null> {
  try {
    const state = await handle.requestPermission?.({ mode: 'read' })
    return state === 'denied' ? null : await handle.getFile()
  } catch {
    // Moved, renamed or removed meanwhile.
    return null
  }
}
