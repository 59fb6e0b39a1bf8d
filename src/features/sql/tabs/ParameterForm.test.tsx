import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setup } from '../../../ui/testing/render.tsx'
import type { Runner } from '../results/runner.ts'
import { missingValues } from '../results/script.ts'
import { ParameterForm, useParameters } from './ParameterForm.tsx'

/** Shows a text's parameters; the fake engine finds one of each kind. */
function Names({ runner, text }: { readonly runner: Runner; readonly text: string }) {
  return <output>{useParameters(runner, text).join(' ')}</output>
}

test.each(['SELECT ?', 'SELECT $1', 'SELECT $name', 'SELECT $_a', 'SELECT $größe'])(
  '%s asks for a value',
  async (text) => {
    const split = vi.fn(() => Promise.resolve([{ text, from: 0, to: text.length, parameters: ['1'] }]))
    const runner = { session: () => ({ split }) } as unknown as Runner
    setup(<Names runner={runner} text={text} />)
    await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('1'))
  },
)

test('a text without parameters isn’t passed to the engine', async () => {
  const session = vi.fn()
  setup(<Names runner={{ session } as unknown as Runner} text="SELECT 'a', $$ b $$" />)
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(session).not.toHaveBeenCalled()
})

test('the first parameter that a run lacks gets the focus, once', () => {
  const statement = { text: 'SELECT $A, $b', from: 0, to: 13, parameters: ['A', 'b'] }
  const problem = missingValues([statement], { a: { type: 'VARCHAR', text: 'x' } }, 'run it')
  const form = (names: readonly string[]) => (
    <ParameterForm {...{ names, problem }} values={{}} onChange={() => undefined} onRun={() => undefined} />
  )
  const { rerender } = setup(form(['A']))
  expect(document.activeElement).toBe(document.body)
  // The text is read a little later than it was run.
  rerender(form(['A', 'b']))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '$b' }))
  screen.getByRole('textbox', { name: '$A' }).focus()
  rerender(form(['A', 'b', 'c']))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '$A' }))
})
