import type { EngineClient } from '../../../engine/client.ts'
import { toFailure } from '../model/failure.ts'
import { hasOwnTypes, type Job } from '../model/job.ts'
import { withPreview, withChecked } from '../model/changes.ts'

interface Jobs {
  find(id: string): Job | undefined
  update(id: string, change: (job: Job) => Job): void
}

/** Lets the engine preview tables and check all their rows, with the columns as currently planned. */
export class Previews {
  private readonly client: EngineClient
  private readonly jobs: Jobs
  /** The latest preview and check of each table. */
  private readonly running = new Map<string, AbortController>()

  constructor(client: EngineClient, jobs: Jobs) {
    this.client = client
    this.jobs = jobs
  }

  /** Reads a table's first rows and, if the person chose types, the rows that don't fit. */
  async preview(id: string, table: number): Promise<void> {
    this.stop(id, table)
    const job = this.jobs.find(id)
    if (!job?.plan) return
    const signal = this.begin('preview', id, table)
    try {
      const preview = await this.client.preview(job.file, { plan: job.plan, table }, { signal })
      if (signal.aborted) return
      this.jobs.update(id, (old) => withPreview(old, table, preview))
    } catch (error) {
      this.failed(id, error, signal)
      return
    }
    // Reading the file doesn't show the effect of chosen types or corrections.
    if (hasOwnTypes(job, table) || job.plan.tables[table]?.mends?.putBack) this.checkLater(id, table, 0)
    else this.jobs.update(id, (old) => withChecked(old, table, null))
  }

  /** Checks a table after a delay; only the last of several calls has an effect. */
  checkLater(id: string, table: number, delay: number): void {
    const signal = this.begin('check', id, table)
    setTimeout(() => {
      if (!signal.aborted) void this.check(id, table, signal)
    }, delay)
  }

  /** Stops what is made for a table, or for all of a job's: it would be about how it was read before. */
  stop(id: string, table: number | null = null): void {
    for (const [key, controller] of this.running) {
      if (!key.startsWith(table === null ? `${id} ` : `${id} ${table} `)) continue
      controller.abort()
      this.running.delete(key)
    }
  }

  /** Ends the earlier one of the same table. */
  private begin(what: 'preview' | 'check', id: string, table: number): AbortSignal {
    const key = `${id} ${table} ${what}`
    const controller = new AbortController()
    this.running.get(key)?.abort()
    this.running.set(key, controller)
    return controller.signal
  }

  /** Finds all rows of a table that don't fit. */
  private async check(id: string, table: number, signal: AbortSignal): Promise<void> {
    const job = this.jobs.find(id)
    if (!job?.plan) return
    try {
      const checked = await this.client.check(job.file, { plan: job.plan, table }, { signal })
      if (!signal.aborted) this.jobs.update(id, (old) => withChecked(old, table, checked))
    } catch (error) {
      this.failed(id, error, signal)
    }
  }

  private failed(id: string, error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.jobs.update(id, (old) => ({ ...old, previewFailure: toFailure(error) }))
  }
}
