import { isServiceFormat, MAX_FILE_BYTES } from '../../../contract/limits.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import { keepsText, nameInFile } from '../../../tables/changes/verbatim.ts'
import { optionsOf, type Job } from './job.ts'
import { planFrom } from '../../../tables/edits.ts'
import { compressedBy } from '../../../tables/settings.ts'

/** What conversions need to know about the service. */
export interface ServiceFacts {
  readonly state: 'connecting' | 'ready' | 'failed'
  /** Whether it's on another machine while this one has no network. */
  readonly offline: boolean
  /** When the next conversion is allowed; null for now. */
  readonly blockedUntil: Date | null
  /** Whether it's on the network, not in this browser. */
  readonly remote: boolean
}

/**
 * Whether the service would read the file differently than the person wants. Then the planned table must be sent, as
 * Parquet made in this browser.
 */
export function needsParquet({ inspection, plan, request }: Pick<Job, 'inspection' | 'plan' | 'request'>): boolean {
  if (!inspection || !plan) return false
  const { settings } = inspection
  const said = request.format !== undefined || Object.keys(request.settings ?? {}).some((name) => name !== 'kind')
  return compressedBy(settings) !== null || said || JSON.stringify(plan) !== JSON.stringify(planFrom(inspection))
}

/** Why a file can't be converted through the service, in a few words and in a sentence; null if it can. */
interface Obstacle {
  readonly short: string
  readonly text: string
}

export function obstacleOf(job: Job, facts: ServiceFacts): Obstacle | null {
  return connectionObstacle(facts) ?? fileObstacle(job)
}

function connectionObstacle({ state, offline, blockedUntil }: ServiceFacts): Obstacle | null {
  if (state === 'connecting') return { short: 'connecting', text: 'The service isn’t connected yet.' }
  if (state === 'failed') return { short: 'not connected', text: 'There’s no connection to the service: see Settings.' }
  if (offline) return { short: 'offline', text: 'This machine is offline, and the service is on another.' }
  if (blockedUntil) {
    const time = blockedUntil.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    return {
      short: `limit reached until ${time}`,
      text: `The key has used up its requests. There are new ones at ${time}.`,
    }
  }
  return null
}

function fileObstacle(job: Job): Obstacle | null {
  const { target, inspection, plan, file } = job
  if (!isServiceFormat(target)) return { short: 'doesn’t write Arrow', text: 'The service doesn’t write Arrow files.' }
  if (!inspection || !plan) return null
  if (!isServiceFormat(inspection.format)) {
    return { short: 'doesn’t read Arrow', text: 'The service doesn’t read Arrow files.' }
  }
  if (job.options[target] && JSON.stringify(job.options[target]) !== JSON.stringify(defaultOptions(target))) {
    return {
      short: 'options changed',
      text: 'The service writes files its own way, without the options that you chose.',
    }
  }
  if (job.shape ?? job.draft?.shape) {
    return {
      short: 'shaped with SQL',
      text: 'The service writes all rows of a file as they are: a statement shapes them in this browser alone.',
    }
  }
  if (job.split)
    return { short: 'split', text: 'The service makes one file of a table, and this one is to become several.' }
  if (job.rowCount)
    return { short: 'rows compared', text: 'The service can’t compare the number of rows with last time’s.' }
  const parquet = needsParquet(job)
  if (!parquet && file.size > MAX_FILE_BYTES) {
    const text = `The service takes files of up to 50 MB; this one has ${formatBytes(file.size)}.`
    return { short: 'over 50 MB', text }
  }
  if (plan.tables.filter(({ include }) => include).length > 1 && (parquet || target !== 'xlsx')) {
    return { short: 'several sheets', text: 'The service makes one table of a file, and several sheets are chosen.' }
  }
  if (
    parquet &&
    keepsText(plan, optionsOf(job)) &&
    plan.tables.some((table) => table.columns.some((column) => nameInFile(plan, table, column) !== column.name))
  ) {
    return {
      short: 'column names',
      text: 'Some columns have the same name or none, and what is sent to the service can’t have such columns.',
    }
  }
  if (inspection.tables.some(({ rejectedCount }) => rejectedCount > 0)) {
    return {
      short: 'rows don’t fit',
      text: 'Some rows don’t fit, and the service only accepts files in which every row fits.',
    }
  }
  return null
}
