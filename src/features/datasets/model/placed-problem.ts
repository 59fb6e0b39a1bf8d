import { ApiError } from '../../../api/errors.ts'
import { explain, type Problem } from '../../shared/problem.ts'
import type { DatasetValues } from './draft.ts'

/** The field of the form that a problem is about. */
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
 * Explains an error of the whole dataset, and to which field it belongs.
 * @param isAdding whether the request was to add to an existing dataset
 */
export function placed(error: unknown, isAdding = false): PlacedProblem {
  if (isAdding) return { spot: 'form', problem: explain(error, 'Nothing was added') }
  if (error instanceof ApiError) {
    if (error.code === 'CONFLICT') {
      const message = 'Another dataset has this name. Choose one that isn’t taken.'
      return { spot: 'name', problem: { message, remedy: null, requestId: error.requestId } }
    }
    const [issue] = error.issues
    const spot = issue && FIELDS[/^\w+/.exec(issue.path)?.[0] ?? '']
    if (spot) return { spot, problem: { message: `It ${issue.message}.`, remedy: null, requestId: error.requestId } }
  }
  return { spot: 'form', problem: explain(error, 'The dataset wasn’t created') }
}

/** What to do if a request to create or add had no answer, so that its outcome is unknown. */
export function unheard(error: unknown, isAdding: boolean): PlacedProblem {
  const remedy = isAdding
    ? 'It may have added them: look at the dataset’s rows before you try again.'
    : 'It may have created the dataset: look at the list before you try again.'
  return { spot: 'form', problem: { ...explain(error, null), remedy } }
}
