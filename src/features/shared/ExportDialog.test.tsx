import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { EngineError, type ConvertResult, type EngineClient } from '../../engine/client.ts'
import { defaultOptions, type ImportPlan } from '../../tables/plan.ts'
import { setup } from '../../ui/testing/render.tsx'
import { ExportDialog, useExport } from './ExportDialog.tsx'

const receipt = {
  found: { rows: 3, columns: [{}, {}] },
  notes: [{ message: 'A note.' }],
  changes: [
    { code: 'long-numbers', message: 'Long numbers are held as text.', column: 'dec', count: 17 },
    { code: 'long-numbers', message: 'Long numbers are held as text.', column: 'hug', count: 99 },
  ],
}
const made = {
  outputs: [{ id: '1', name: 'rows.csv', size: 10, receipts: [receipt] }],
  rejectedCount: 0,
} as unknown as ConvertResult

function engineOf(convert: EngineClient['convert']) {
  const removed: string[] = []
  const outputs = { remove: (id: string) => Promise.resolve(void removed.push(id)) }
  return { removed, engine: { convert, outputs } as unknown as EngineClient }
}

const source = () => Promise.resolve({ file: new File([], 'rows'), plan: {} as ImportPlan, partial: false })

function Held({ engine }: { readonly engine: EngineClient }) {
  const { state, start, cancel } = useExport(engine, source)
  return (
    <ExportDialog
      title="Export"
      description=""
      engine={engine}
      state={state}
      ready
      failure="It wasn’t exported"
      idle="Nothing yet"
      describe={() => ({ format: 'CSV', source: 'as the rows', notes: false })}
      onExport={() => void start('csv', defaultOptions('csv'))}
      onCancel={cancel}
      onClose={() => undefined}
    >
      {null}
    </ExportDialog>
  )
}

test('a file is written, verified and offered, and removed with the dialog', async () => {
  const { engine, removed } = engineOf(() => Promise.resolve(made))
  const { user, unmount } = setup(<Held engine={engine} />)
  screen.getByText('Nothing yet')
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await screen.findByRole('button', { name: 'Download' })
  const told = screen.getByRole('region', { name: 'Receipt' }).textContent
  expect(told).toContain('3 rows and 2 columns hold the same values as the rows, but for this:')
  expect(told).toContain('dec, hug: Long numbers are held as text (116 values).')
  expect(told).not.toContain('A note.')
  unmount()
  await vi.waitFor(() => expect(removed).toEqual(['1']))
})

test('“Cancel” stops the export, which can start again', async () => {
  const convert = vi.fn<EngineClient['convert']>(
    (_file, _request, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error))
      }),
  )
  const { user } = setup(<Held engine={engineOf(convert).engine} />)
  await user.click(screen.getByRole('button', { name: 'Export' }))
  expect(screen.getByRole('progressbar', { name: 'Writing the file' })).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('Nothing yet')
  await user.click(screen.getByRole('button', { name: 'Export' }))
  expect(convert).toHaveBeenCalledTimes(2)
})

test('a failure says why, and can be retried', async () => {
  const failure = new EngineError('out-of-space', 'The disk is full.', { remedy: 'Free some.' })
  const { user } = setup(<Held engine={engineOf(() => Promise.reject(failure)).engine} />)
  await user.click(screen.getByRole('button', { name: 'Export' }))
  expect((await screen.findByRole('alert')).textContent).toBe('The disk is full.Free some.')
  expect(screen.getByRole('button', { name: 'Export' })).toBeDefined()
})
