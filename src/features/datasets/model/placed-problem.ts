import { ApiError } from '../../../api/errors.ts'
import { explain, type Problem } from '../../shared/problem.ts'
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

/** What to do where the service was asked to create or add, and whether it did wasn't heard. */
export function unheard(error: unknown, isAdding: boolean): PlacedProblem {
  const remedy = isAdding
    ? 'It may have added them: look at the dataset’s rows before you try again.'
    : 'It may have created the dataset: look at the list before you try again.'
  return { spot: 'form', problem: { ...explain(error, null), remedy } }
}
