import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EngineClient } from '../../engine/client.ts'
import { column, inspection, inspectResult, table } from '../../tables/testing.ts'
import { useCommands } from '../../ui/commands.ts'
import { useJobs } from './context.tsx'
import { renderConvert } from './testing/render-convert.tsx'
import { testStore } from './testing/test-store.ts'
import { useConvertCommands } from './use-commands.tsx'

function Palette() {
  useConvertCommands()
  useJobs()
  const labels = useCommands().map(({ label }) => label)
  return (
    <ul aria-label="Commands">
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}

test('the palette offers only actions for the queue that are possible now', async () => {
  const client = {
    inspect: async () => inspectResult(inspection(table([column('id')]))),
    convert: () => new Promise(() => undefined),
  } as unknown as EngineClient
  const store = testStore(client)
  renderConvert(<Palette />, store, {
    client,
    storedJobs: async () => ({ records: [], alive: new Set(), sources: new Set() }),
  })
  const offered = (): string[] =>
    ['Convert all', 'Cancel all', 'Clear finished'].filter((label) => screen.queryByText(label))
  await screen.findByText('Add files…')
  expect(offered()).toEqual([])
  act(() => void store.add({ file: new File(['id\n1\n'], 'a.csv') }))
  await screen.findByText('Convert all')
  expect(offered()).toEqual(['Convert all'])
  act(() => store.convertAll())
  await screen.findByText('Cancel all')
  expect(offered()).toEqual(['Cancel all'])
})
