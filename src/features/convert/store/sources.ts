import { askToRead } from '../../../lib/file-handles.ts'
import { handleOf } from '../../../ui/overlays/files-dropped.ts'
import type { Job } from '../model/job.ts'
import type { JobRecord } from '../model/records.ts'
import type { ConvertDatabase, CopiedFile, KeptSource } from './database.ts'
import type { Added } from './make.ts'

/** In bytes: the largest file to copy, and the most that a tab copies in all. */
const MOST_OF_ONE = 16 * 1024 * 1024
const MOST_OF_ALL = 256 * 1024 * 1024
/** Bytes copied at a time, so that the page isn't blocked. */
const BYTES_AT_ONCE = 4 * 1024 * 1024
const FILES_AT_ONCE = 16

/** Stores what opens the files of interrupted jobs again: a handle if the browser provides one, otherwise a copy. */
export class Sources {
  private readonly database: Pick<ConvertDatabase, 'putSources' | 'sources'>
  private readonly kept = new Set<string>()
  private copied = 0

  constructor(database: Pick<ConvertDatabase, 'putSources' | 'sources'>) {
    this.database = database
  }

  /** Whether this tab stored the job's source. */
  has(id: string): boolean {
    return this.kept.has(id)
  }

  /** Stores sources of new jobs, as far as possible. If the disk is full, `has` tells which are missing. */
  async keep(jobs: readonly Job[]): Promise<void> {
    let batch: Promise<KeptSource>[] = []
    let copying = 0
    const flush = async (): Promise<void> => {
      const sources = await Promise.all(batch)
      batch = []
      copying = 0
      await this.database.putSources(sources)
      for (const { id } of sources) this.kept.add(id)
    }
    for (const { id, file } of jobs) {
      const handle = handleOf(file)
      if (handle) batch.push(Promise.resolve({ id, source: handle }))
      else if (file.size <= MOST_OF_ONE && this.copied + file.size <= MOST_OF_ALL) {
        this.copied += file.size
        if (batch.length >= FILES_AT_ONCE || (copying > 0 && copying + file.size > BYTES_AT_ONCE)) await flush()
        copying += file.size
        batch.push(copyOf(file).then((source) => ({ id, source })))
      }
    }
    await flush()
  }

  /**
   * Opens the files of interrupted jobs, in the order in which they were added. May ask the person; files that are
   * refused or gone are left out.
   */
  async open(records: readonly JobRecord[]): Promise<Added[]> {
    const kept = await this.database.sources(records.map(({ id }) => id))
    const byId = new Map(kept.map(({ id, source }) => [id, source]))
    const opened: Added[] = []
    for (const earlier of [...records].sort((a, b) => a.addedAt - b.addedAt)) {
      const source = byId.get(earlier.id)
      const file = source && (await reopen(source))
      if (file) opened.push({ file, earlier })
    }
    return opened
  }
}

async function copyOf(file: File): Promise<CopiedFile> {
  const { name, type, lastModified } = file
  return { name, type, lastModified, bytes: await file.arrayBuffer() }
}

async function reopen(source: KeptSource['source']): Promise<File | null> {
  if (source instanceof File) return source
  if ('bytes' in source) return new File([source.bytes], source.name, source)
  try {
    return (await askToRead(source)) ? await source.getFile() : null
  } catch {
    // It was moved, renamed or removed.
    return null
  }
}
