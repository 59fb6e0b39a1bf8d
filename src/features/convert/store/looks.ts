import type { EngineClient } from '../../../engine/client.ts'
import { toFailure } from '../model/failure.ts'
import { hasOwnTypes, previewed, withChecked, type Job } from '../model/job.ts'

interface Jobs {
  find(id: string): Job | undefined
  update(id: string, change: (job: Job) => Job): void
}

/** What the engine finds in a file with the columns as they're now chosen. */
export class Looks {
  private readonly client: EngineClient
  private readonly jobs: Jobs

  constructor(client: EngineClient, jobs: Jobs) {
    this.client = client
    this.jobs = jobs
  }

  /** The first rows of a table; and, where the person chose types, the rows that don't fit. */
  async preview(id: string, table: number, signal: AbortSignal): Promise<void> {
    const job = this.jobs.find(id)
    if (!job?.plan) return
    try {
      const preview = await this.client.preview(job.file, { plan: job.plan, table }, { signal })
      if (signal.aborted) return
      this.jobs.update(id, (old) => previewed(old, table, preview))
    } catch (error) {
      this.failed(id, error, signal)
      return
    }
    if (hasOwnTypes(job, table)) await this.check(id, table, signal)
    else this.jobs.update(id, (old) => withChecked(old, table, null))
  }

  /** All rows of a table that don't fit. */
  async check(id: string, table: number, signal: AbortSignal): Promise<void> {
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
