import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setup } from '../../../ui/testing/render.tsx'
import type { Runner } from '../results/runner.ts'
import { useParameters } from './ParameterForm.tsx'

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
