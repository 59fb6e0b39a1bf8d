import { ApiError } from '../../../api/errors.ts'
import { explain, waitWords, type Problem } from '../../shared/problem.ts'
import type { DatasetValues } from './draft.ts'

/** What the form is about, where something is wrong with it. */
export type Spot = keyof DatasetValues | 'form'

export interface PlacedProblem {
  readonly spot: Spot
  readonly problem: Problem
}

const FIELDS: Readonly<Record<string, Spot>> = {
  dataset_name: 'name',
  name: 'name',
  description: 'description',
  short_description: 'description',
  tags: 'tags',
  visibility: 'visibility',
}

/**
 * What went wrong with the dataset as a whole, at the field that it's about.
 * @param isAdding to one that is there
 */
export function placed(error: unknown, isAdding = false): PlacedProblem {
  if (isAdding) {
    const isUnknown = error instanceof ApiError && error.code === 'unreachable'
    const message =
      'The service doesn’t answer. It may have added them: look at the dataset’s rows before you try again.'
    const said = isUnknown ? { message, remedy: waitWords(null), requestId: null } : explain(error, 'Nothing was added')
    return { spot: 'form', problem: said }
  }
  if (error instanceof ApiError) {
    if (error.code === 'CONFLICT') {
      const message = 'Another dataset has this name. Choose one that isn’t taken.'
      return { spot: 'name', problem: { message, remedy: null, requestId: error.requestId } }
    }
    const [issue] = error.issues
    const spot = issue && FIELDS[/^\w+/.exec(issue.path)?.[0] ?? '']
    if (spot) return { spot, problem: { message: `It ${issue.message}.`, remedy: null, requestId: error.requestId } }
    if (error.code === 'unreachable') {
      const message =
        'The service doesn’t answer. It may have created the dataset: look at the list before you try again.'
      return { spot: 'form', problem: { message, remedy: waitWords(null), requestId: null } }
    }
  }
  return { spot: 'form', problem: explain(error, 'The dataset wasn’t created') }
}
