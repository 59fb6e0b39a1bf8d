import { act, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { DatasetDetails } from '../../../api/client.ts'
import type { ConvertProgress, ConvertResult, EngineClient } from '../../../engine/client.ts'
import { Store } from '../../../lib/store.ts'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { column, inspection, inspectResult, table as inspected } from '../../../tables/testing.ts'
import { deferred } from '../../../lib/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { DatasetsProvider } from '../context.tsx'
import ExportDialog from './ExportDialog.tsx'

const table = { name: 'orders', description: '', rowCount: 2, byteSize: 1, schema: [{ name: 'id', type: 'BIGINT' }] }
const dataset = { id: 'd1', name: 'Shop', tables: [table] } as unknown as DatasetDetails
const found = inspection(inspected([column('id', 'BIGINT')]))

function show() {
  const made = deferred<Partial<ConvertResult>>()
  const kept = new Set<string>()
  let report: (progress: ConvertProgress) => void = () => undefined
  let signal: AbortSignal | undefined
  const convert = vi.fn<EngineClient['convert']>(async (_file, { jobId }, options) => {
    report = options?.onProgress ?? report
    signal = options?.signal
    const stopped = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal?.reason as Error)),
    )
    const more = await Promise.race([made.promise, stopped])
    kept.add(`${jobId}/out`)
    return { outputs: [outputOf(`${jobId}/out`, 25)], rejectedCount: 0, rejected: [], rejectedFile: null, ...more }
  })
  const engine = {
    convert,
    inspect: async () => inspectResult(found),
    outputs: {
      file: async () => new File(['x'], 'orders.xlsx'),
      remove: async (id: string) => void kept.delete(id),
    },
  } as unknown as EngineClient
  const session = {
    api: { rateLimit: new Store(null) },
    workspaceId: 'w',
    slug: 'ws',
    scopes: null,
    local: { tableFile: async () => new File(['db'], 'orders.duckdb') },
  }
  const onClose = vi.fn()
  const rendered = setup(
    <MemoryRouter initialEntries={['/datasets/d1']}>
      <SessionProvider store={sessionStore(session as unknown as Parameters<typeof sessionStore>[0])}>
        <DatasetsProvider engine={engine}>
          <ExportDialog dataset={dataset} table={table} onClose={onClose} />
        </DatasetsProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
  return { ...rendered, convert, made, kept, onClose, report: (p: ConvertProgress) => act(() => report(p)) }
}

/** An output whose receipt has that many changes. */
function outputOf(id: string, changes: number): ConvertResult['outputs'][number] {
  const receipt = {
    found: { rows: 2, columns: [{}] },
    changes: Array.from({ length: changes }, (_, i) => ({ code: 'changed', message: `Change ${i + 1}` })),
  }
  return {
    id,
    name: 'orders.xlsx',
    mimeType: '',
    size: 4,
    receipts: [receipt],
  } as unknown as ConvertResult['outputs'][number]
}

const button = (name: string): HTMLElement => screen.getByRole('button', { name })

test('a table is exported in the chosen format, and the first of many changes are listed', async () => {
  const { user, convert, made, report } = show()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Format' }), 'xlsx')
  await user.click(button('Export'))
  await waitFor(() => expect(convert).toHaveBeenCalled())
  expect(convert.mock.calls[0]?.[1].target).toBe('xlsx')
  report({ phase: 'convert', table: 0, tables: 1, rows: 1, bytes: 25, totalBytes: 100 })
  expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(25)
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Format' }).disabled).toBe(true)
  made.resolve({})
  const receipt = await screen.findByRole('region', { name: 'Receipt' })
  expect(within(receipt).getAllByText(/^Change \d+$/)).toHaveLength(20)
  expect(receipt.textContent).toContain('and 5 more changes')
  expect(button('Download')).toBeTruthy()
})

test('choosing another format requires another export', async () => {
  const { user, made } = show()
  made.resolve({})
  await user.click(button('Export'))
  await screen.findByRole('button', { name: 'Download' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Format' }), 'json')
  expect(button('Export')).toBeTruthy()
})

test('after cancelling, an export can start again', async () => {
  const { user, convert } = show()
  await user.click(button('Export'))
  await waitFor(() => expect(convert).toHaveBeenCalled())
  await user.click(button('Cancel'))
  await screen.findByRole('button', { name: 'Export' })
})

test('the exported file is removed with the dialog', async () => {
  const { user, made, kept, onClose, unmount } = show()
  made.resolve({})
  await user.click(button('Export'))
  await screen.findByRole('button', { name: 'Download' })
  expect(kept.size).toBe(1)
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalled()
  unmount()
  await waitFor(() => expect(kept.size).toBe(0))
})
