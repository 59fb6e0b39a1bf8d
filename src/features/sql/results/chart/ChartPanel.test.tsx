import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setup, sizeElements } from '../../../../ui/testing/render.tsx'
import type { ChartSpec } from '../../types.ts'
import type { HeldRun } from '../types.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { resultOf } from './testing.ts'
import { useRamps } from './use-ramps.ts'

beforeEach(() => sizeElements(800, 500))
afterEach(() => vi.restoreAllMocks())

/** How often each pair of values occurs. */
function runOf(times: number): HeldRun {
  const columns = ['day', 'hour'].map((name) => ({ name, type: 'VARCHAR' }))
  const rows = [...Array.from({ length: times }, () => ['Mon', '9']), ['Tue', '9'], ['Mon', '10']]
  return { result: resultOf(columns, rows), summary: { leftOut: false } } as unknown as HeldRun
}

const HEAT: ChartSpec = { mark: 'heatmap', x: 'day', y: 'hour', aggregate: 'count', color: null }

test('heat maps side by side share a color scale, and each has its own when alone', async () => {
  const [few, many] = [runOf(3), runOf(40)]
  function Both() {
    const [current, pinned] = useRamps()
    const [alone, setAlone] = useState(false)
    const parts = { session: null, spec: HEAT, onSpec: () => undefined }
    return (
      <>
        <div data-testid="few">
          <ChartPanel {...parts} run={few} title="Few" beside={current} />
        </div>
        <div data-testid="many">{alone ? null : <ChartPanel {...parts} run={many} title="Many" beside={pinned} />}</div>
        <button type="button" onClick={() => setAlone(true)}>
          Unpin
        </button>
      </>
    )
  }
  const { user } = setup(<Both />)
  const key = (of: string) =>
    within(screen.getByTestId(of)).queryByText('Count of rows', { selector: 'figure span' })?.parentElement?.textContent
  await waitFor(() => expect([key('few'), key('many')]).toEqual(['Count of rows140', 'Count of rows140']), {
    timeout: 20_000,
  })
  expect(screen.getAllByText('Its colors are on one scale with those of the chart beside it.')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Unpin' }))
  await waitFor(() => expect(key('few')).toBe('Count of rows13'))
}, 30_000)

test('the buttons beside the choice of chart or table stand there before the chart does', async () => {
  setup(<ChartPanel run={runOf(3)} session={null} spec={HEAT} onSpec={() => undefined} title="Few" />)
  const tools = screen.getByRole('radiogroup', { name: 'Show as' }).parentElement?.children
  const names = () => Array.from(tools ?? [], ({ textContent }) => textContent).slice(1)
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save picture' })
  expect(names()).toEqual(['Style', 'Save picture'])
  expect(save().disabled).toBe(true)
  await waitFor(() => expect(save().disabled).toBe(false), { timeout: 20_000 })
  expect(names()).toEqual(['Style', 'Save picture'])
}, 30_000)
