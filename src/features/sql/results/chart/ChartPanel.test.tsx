import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setup, sizeElements } from '../../../../ui/testing/render.tsx'
import type { ChartSpec } from '../../types.ts'
import type { HeldRun } from '../types.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { resultOf } from './testing.ts'
import { useBeside, useRamps, type Ramps } from './use-ramps.ts'

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
  const [few, more, many] = [runOf(3), runOf(20), runOf(40)]
  function One({ run, ramps }: { readonly run: HeldRun; readonly ramps: Ramps }) {
    const beside = useBeside(ramps, run)
    return <ChartPanel session={null} spec={HEAT} onSpec={() => undefined} run={run} title="Heat" beside={beside} />
  }
  function All() {
    const ramps = useRamps()
    const [alone, setAlone] = useState(false)
    return (
      <>
        <div data-testid="few">
          <One run={few} ramps={ramps} />
        </div>
        <div data-testid="more">{alone ? null : <One run={more} ramps={ramps} />}</div>
        <div data-testid="many">{alone ? null : <One run={many} ramps={ramps} />}</div>
        <button type="button" onClick={() => setAlone(true)}>
          Unpin
        </button>
      </>
    )
  }
  const { user } = setup(<All />)
  const key = (of: string) =>
    within(screen.getByTestId(of)).queryByText('Count of rows', { selector: 'figure span' })?.parentElement?.textContent
  await waitFor(
    () =>
      expect(['few', 'more', 'many'].map(key)).toEqual(['Count of rows140', 'Count of rows140', 'Count of rows140']),
    {
      timeout: 20_000,
    },
  )
  expect(screen.getAllByText('Its colors are on one scale with those of the charts beside it.')).toHaveLength(3)
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
