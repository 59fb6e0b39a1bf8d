import { withSources, type PartSource } from '../../../tables/combine/combination.ts'
import { isBusy, isRead, type Job } from '../model/job.ts'
import { recombined } from '../model/changes.ts'

/** The jobs, with combinations that go by what their files are now; what the engine is at stays as it began. */
export function withCombinations(jobs: readonly Job[]): readonly Job[] {
  if (!jobs.some(({ combination }) => combination)) return jobs
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const find = (id: string): PartSource | undefined => {
    const job = byId.get(id)
    return job && { id, file: job.file, plan: isRead(job) ? job.plan : null }
  }
  return jobs.map((job) =>
    job.combination && !isBusy(job) ? recombined(job, withSources(job.combination, find)) : job,
  )
}
