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
  /** Waiting or running checks, by job and table. */
  private readonly checking = new Map<string, AbortController>()

  constructor(client: EngineClient, jobs: Jobs) {
    this.client = client
    this.jobs = jobs
  }

  /** Reads a table's first rows and, if the person chose types, the rows that don't fit. */
  async preview(id: string, table: number, signal: AbortSignal): Promise<void> {
    this.stopCheck(keyOf(id, table))
    const job = this.jobs.find(id)
    if (!job?.plan) return
    try {
      const preview = await this.client.preview(job.file, { plan: job.plan, table }, { signal })
      if (signal.aborted) return
      this.jobs.update(id, (old) => withPreview(old, table, preview))
    } catch (error) {
      this.failed(id, error, signal)
      return
    }
    // Reading the file doesn't show the effect of chosen types or corrections.
    if (hasOwnTypes(job, table) || job.plan.tables[table]?.mends?.putBack) await this.check(id, table, signal)
    else this.jobs.update(id, (old) => withChecked(old, table, null))
  }

  /** Checks a table after a delay; only the last of several calls has an effect. */
  checkLater(id: string, table: number, delay: number): void {
    const key = keyOf(id, table)
    this.stopCheck(key)
    const controller = new AbortController()
    this.checking.set(key, controller)
    setTimeout(() => {
      if (!controller.signal.aborted) void this.check(id, table, controller.signal)
    }, delay)
  }

  private stopCheck(key: string): void {
    this.checking.get(key)?.abort()
    this.checking.delete(key)
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

const keyOf = (id: string, table: number): string => `${table} ${id}`
