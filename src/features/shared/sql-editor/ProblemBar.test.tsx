import { render, screen } from '@testing-library/react'
import type { EditorView } from '@codemirror/view'
import { expect, it } from 'vitest'
import { ProblemBar, type ListedProblem } from './ProblemBar.tsx'

const view = {} as EditorView
const problem = (message: string, ...actions: string[]): ListedProblem => ({
  from: 0,
  to: 1,
  line: 3,
  message,
  actions: actions.map((name) => ({ name, apply: () => undefined })),
})

it('doesn’t repeat what the screen already says', () => {
  const { rerender } = render(<ProblemBar problems={[problem('No table x.')]} said="No table x." view={view} />)
  expect(screen.queryByRole('group', { name: 'Problems in the text' })).toBeNull()
  rerender(<ProblemBar problems={[problem('No table x.')]} said={null} view={view} />)
  expect(screen.getByText('No table x.')).toBeTruthy()
})

it('doesn’t repeat a message for what to do about it', () => {
  const problems = [problem('No table x. Drop its file.')]
  const { rerender } = render(<ProblemBar problems={problems} said="No table x." view={view} />)
  expect(screen.queryByRole('group', { name: 'Problems in the text' })).toBeNull()
  rerender(<ProblemBar problems={problems} said={null} view={view} />)
  expect(screen.getByText('No table x. Drop its file.')).toBeTruthy()
})

it('still offers its fix, and shows other problems', () => {
  const problems = [problem('No table x.', 'Use y'), problem('No column z.')]
  const { rerender } = render(<ProblemBar problems={problems} said="No table x." view={view} />)
  expect(screen.queryByText('No table x.')).toBeNull()
  expect(screen.getByRole('button', { name: 'Use y' })).toBeTruthy()
  rerender(<ProblemBar problems={problems.slice(1)} said="No table x." view={view} />)
  expect(screen.getByText('No column z.')).toBeTruthy()
})
