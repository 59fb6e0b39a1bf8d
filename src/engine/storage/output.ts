import { MemorySink, type ByteSink } from '../../lib/sink.ts'

/** A file being written. End it with either `commit` or `discard`. */
export interface PendingOutput {
  readonly id: string
  readonly sink: ByteSink
  /** Makes the file complete and durable. */
  commit(): Promise<File>
  /** Removes the file and frees its space. Also works after `commit`. */
  discard(): Promise<void>
}

/** Storage for the files that conversions make. */
export interface OutputStorage {
  create(jobId: string): Promise<PendingOutput>
}

/** Outputs in memory, for the page to keep if there's no private file system, and for tests. */
export class MemoryOutputs implements OutputStorage {
  readonly files = new Map<string, File>()

  create(jobId: string): Promise<PendingOutput> {
    const id = `${jobId}/${crypto.randomUUID()}`
    const sink = new MemorySink()
    return Promise.resolve({
      id,
      sink,
      commit: () => {
        const file = sink.file(id)
        this.files.set(id, file)
        return Promise.resolve(file)
      },
      discard: () => {
        this.files.delete(id)
        return Promise.resolve()
      },
    })
  }
}
