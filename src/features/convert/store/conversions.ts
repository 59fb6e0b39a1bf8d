import { converted, failed, started } from '../model/changes.ts'
import { toFailure } from '../model/failure.ts'
import { isBusy, type Job } from '../model/job.ts'
import { filesOf } from '../model/records.ts'
import { makeOf, type StoreDependencies } from './make.ts'
import { filesOf as sourcesOf, Sealing } from './sealing.ts'
import { yieldToEvents } from '../../../lib/yielding.ts'

/** Simultaneous conversions. */
const AT_ONCE = 2

interface Jobs {
  snapshot(): readonly Job[]
  find(id: string): Job | undefined
  update(id: string, change: (job: Job) => Job, soon?: boolean): void
  keep(id: string): Promise<void>
  end(id: string): void
}

/** Runs queued conversions, two at a time, and seals receipts while there are none. */
export class Conversions {
  private readonly running = new Map<string, AbortController>()
  private readonly deps: StoreDependencies
  private readonly jobs: Jobs
  private readonly sealing: Sealing

  constructor(deps: StoreDependencies, jobs: Jobs) {
    this.deps = deps
    this.jobs = jobs
    this.sealing = new Sealing(deps.client, jobs)
  }

  stop(id: string): void {
    this.running.get(id)?.abort()
    this.running.delete(id)
  }

  /** Starts the next conversions, up to two at a time. */
  startNext(): void {
    const jobs = this.jobs.snapshot()
    let free = AT_ONCE - jobs.filter((job) => job.stage.kind === 'converting').length
    for (const { id, stage } of jobs) {
      if (free <= 0) return
      if (stage.kind !== 'queued') continue
      free--
      this.jobs.update(id, (old) => started(old, this.deps.now()))
      const controller = new AbortController()
      this.running.set(id, controller)
      this.sealing.pause()
      void this.deps.making(() => this.run(id, controller.signal))
    }
    if (!this.jobs.snapshot().some(isBusy)) void this.sealing.resume()
  }

  private async run(id: string, signal: AbortSignal): Promise<void> {
    const job = this.jobs.find(id)
    // Cancelled before it started.
    if (signal.aborted || !job || !(job.plan ?? job.combination)) return
    try {
      const report = (change: (old: Job) => Job): void => {
        if (!signal.aborted) this.jobs.update(id, change, true)
      }
      const { result, service } = await makeOf(job, this.deps, { signal, report })
      await yieldToEvents()
      const at = this.deps.now()
      const done = (old: Job): Job => converted(old, result, at, service)
      // The record is written first, so that what is shown as done survives a crash.
      const before = this.jobs.find(id)
      if (before && !signal.aborted) await this.deps.keep(done(before))
      if (signal.aborted) {
        // Cancelled just after it finished, so nobody needs its outputs.
        for (const output of result.outputs) void this.deps.client.outputs.remove(output.id)
        return
      }
      this.jobs.update(id, done)
      this.sealing.add({ id, outputs: result.outputs, sources: sourcesOf(job) })
      void this.removeFiles(job)
    } catch (error) {
      if (signal.aborted) return
      this.jobs.update(id, (old) => failed(old, 'converting', toFailure(error)))
    }
    this.jobs.end(id)
    this.startNext()
    await this.jobs.keep(id)
  }

  private async removeFiles(job: Job): Promise<void> {
    // What can't be removed now is swept at the next start.
    await Promise.allSettled(filesOf(job.result).map(({ id }) => this.deps.client.outputs.remove(id)))
  }
}
