import type { EditorView } from '@codemirror/view'
import { useEffect } from 'react'
import type { SqlProblem } from '../../../engine/client.ts'
import { setRunProblems } from './codemirror/problems.ts'

/** Marks what the last run said is wrong. */
export function useProblems(view: EditorView | null, problems: readonly SqlProblem[]): void {
  useEffect(() => {
    view?.dispatch({ effects: setRunProblems.of(problems) })
  }, [view, problems])
}
