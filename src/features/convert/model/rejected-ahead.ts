import { formatCount, plural } from '../../../lib/counts.ts'
import { hasOwnTypes, type Job, leftOutCountOf, rejectedCountOf } from './job.ts'

/** What the card says before converting about rows that don't fit, or didn't before they were corrected. */
interface RejectedWords {
  readonly said: string
  /** What will happen to them. */
  readonly after: string
  /** Whether all of them fit after their corrections. */
  readonly isMended: boolean
}

type Known = Pick<Job, 'checked' | 'inspection' | 'plan' | 'previews'>

/** Null if all rows are known to fit. */
export function rejectedAhead(job: Known): RejectedWords | null {
  const found = rejectedCountOf(job)
  const left = leftOutCountOf(job)
  if (found > 0 && left === 0) {
    const said = `${plural(found, 'row')} that didn’t fit before ${found === 1 ? 'fits' : 'fit'} now.`
    return { said, after: found === 1 ? 'It will be put back.' : 'They will be put back.', isMended: true }
  }
  const said = left < found ? partly(found, left) : allOf(job, found)
  if (said === null) return null
  return { said, after: whatFollows(job, found === 1), isMended: false }
}

function whatFollows({ plan }: Known, isOne: boolean): string {
  const mends = plan?.tables.flatMap((table) => table.mends ?? []) ?? []
  if (mends.some(({ putBack }) => putBack)) {
    return 'Those that fit now will be put back. You’ll be asked before you download the file without the others.'
  }
  if (mends.some(({ rows, replacements }) => rows.length + replacements.length > 0)) {
    return isOne
      ? 'You changed it, but haven’t put it back: until you do, it’s set aside.'
      : 'You changed some, but haven’t put them back: until you do, all are set aside.'
  }
  return isOne
    ? 'It’ll be set aside, and you’ll be asked before you download the file without it.'
    : 'They’ll be set aside, and you’ll be asked before you download the file without them.'
}

const partly = (found: number, left: number): string =>
  `${formatCount(left)} of ${plural(found, 'row')} that didn’t fit ${left === 1 ? 'is' : 'are'} still left out.`

function allOf(job: Known, found: number): string | null {
  if (found > 0) {
    const tables = job.inspection?.tables ?? []
    const types = tables.some((_, table) => hasOwnTypes(job, table))
    const before = tables.some(({ rejectedCount }) => rejectedCount > 0)
    const what = [...(before || !types ? ['its columns'] : []), ...(types ? ['the types that you chose'] : [])]
    return `${plural(found, 'row')} of this file ${found === 1 ? 'doesn’t' : 'don’t'} fit ${what.join(' or ')}.`
  }
  // The first rows are checked before all others.
  const seen = job.previews.reduce((sum, preview) => sum + preview.rejected.length, 0)
  if (seen === 0) return null
  return `${seen} of the first rows ${seen === 1 ? 'doesn’t' : 'don’t'} fit the types that you chose.`
}
