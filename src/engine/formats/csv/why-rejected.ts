import { plural } from '../../../lib/counts.ts'
import type { RejectedRow } from '../../../tables/plan.ts'
import { NOT_UTF8, TEXT_AFTER_QUOTE } from './tokenizer.ts'

type Why = Pick<RejectedRow, 'reason' | 'message'>

/** Why a record is rejected that couldn't be split. */
export function ofProblem(problem: number, encoding: string): Why {
  if (problem === NOT_UTF8) {
    const message = `The row has bytes that aren’t text in the file’s encoding (${encoding}).`
    return { reason: 'encoding', message }
  }
  const message =
    problem === TEXT_AFTER_QUOTE ? 'There is text behind a closing quote.' : 'A quote is opened and never closed.'
  return { reason: 'quoting', message }
}

/** Why a record is rejected that has too few fields, or too many. */
export function ofWidth(fields: number, width: number): Why {
  const message = `The row has ${plural(fields, 'field')}, but the table has ${plural(width, 'column')}.`
  return { reason: 'ragged', message }
}
