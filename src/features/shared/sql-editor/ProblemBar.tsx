import type { Action } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useState } from 'react'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Button } from '../../../ui/Button.tsx'
import css from './Editor.module.css'

/** An error in the text, and how to fix it. */
export interface ListedProblem {
  readonly from: number
  readonly to: number
  readonly line: number
  readonly message: string
  readonly actions: readonly Action[]
}

interface ProblemBarProps {
  readonly problems: readonly ListedProblem[]
  /** The beginning of a message shown elsewhere on the screen, which isn't repeated here; only its fix is. */
  readonly said: string | null
  readonly view: EditorView | null
}

/** Shows one problem at a time below the text, for people who can't see or hover over the marks. */
export function ProblemBar({ problems: all, said, view }: ProblemBarProps) {
  const isSaid = ({ message }: ListedProblem): boolean => said !== null && message.startsWith(said)
  const problems = all.filter((each) => !isSaid(each) || each.actions.length > 0)
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, Math.max(0, problems.length - 1))
  const problem = problems[index]
  const spoken = problem && !isSaid(problem) ? `${sum(problems.length)}. Line ${problem.line}: ${problem.message}` : ''
  useEffect(() => {
    if (spoken !== '') announce(spoken)
  }, [spoken])
  if (!problem || !view) return null
  const go = (next: number): void => {
    const at = (next + problems.length) % problems.length
    setChosen(at)
    const target = problems[at]
    if (target) view.dispatch({ selection: { anchor: target.from, head: target.to }, scrollIntoView: true })
  }
  return (
    <fieldset className={css.problems} aria-label="Problems in the text">
      <CircleAlert size={15} className={css.problemIcon} aria-hidden />
      <button type="button" className={css.problem} onClick={() => show(view, problem)}>
        <span className={css.problemLine}>Line {problem.line}</span>{' '}
        {isSaid(problem) ? null : <span>{problem.message}</span>}
      </button>
      {problem.actions.slice(0, 3).map((action) => (
        <Button
          key={action.name}
          size="small"
          onClick={() => {
            action.apply(view, problem.from, problem.to)
            view.focus()
          }}
        >
          {action.name}
        </Button>
      ))}
      {problems.length > 1 ? (
        <span className={css.problemPages}>
          <Button size="small" look="quiet" aria-label="Problem before" onClick={() => go(index - 1)}>
            <ChevronLeft size={15} />
          </Button>
          {index + 1} of {problems.length}
          <Button size="small" look="quiet" aria-label="Next problem" onClick={() => go(index + 1)}>
            <ChevronRight size={15} />
          </Button>
        </span>
      ) : null}
    </fieldset>
  )
}

function show(view: EditorView, { from, to }: ListedProblem): void {
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
  view.focus()
}

function sum(count: number): string {
  return count === 1 ? 'One problem' : `${count} problems`
}
