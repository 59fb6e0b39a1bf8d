import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setup } from '../../../../ui/testing/render.tsx'
import { usePreview, type AskRows } from './Preview.tsx'

const table = {
  name: 'orders',
  reference: 'local.orders',
  rowCount: 500,
  columns: Array.from({ length: 8 }, (_, i) => ({ name: `a b${i}`, type: 'BIGINT' })),
}

function Lines({ ask }: { readonly ask: AskRows }) {
  const { card, pointer, close } = usePreview((event) => {
    const anchor = event.target instanceof HTMLElement ? event.target : null
    const kind = anchor?.textContent ?? ''
    return anchor && kind !== 'dataset' ? { table, isView: kind === 'view', anchor } : null
  }, ask)
  return (
    <div role="toolbar" tabIndex={-1} {...pointer} onKeyDown={close}>
      {['table', 'view', 'dataset'].map((kind) => (
        <button key={kind} type="button">
          {kind}
        </button>
      ))}
      {card}
    </div>
  )
}

let clientX = 0
const over = (kind: string, pointerType = 'mouse', by = 1): boolean =>
  fireEvent.pointerOver(screen.getByText(kind), { pointerType, buttons: 0, clientX: (clientX += by) })
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700))

test('resting the pointer on a table shows its columns and first rows until the pointer leaves', async () => {
  const ask = vi.fn<AskRows>().mockResolvedValue([['1', null]])
  setup(<Lines ask={ask} />)
  over('table')
  expect(screen.queryByText('local.orders')).toBeNull()
  expect(await screen.findByText('NULL')).toBeTruthy()
  expect(screen.getByText('500 rows · 8 columns')).toBeTruthy()
  expect(screen.getByText('and 2 more columns')).toBeTruthy()
  expect(ask.mock.calls.map(([sql]) => sql)).toEqual([
    'SELECT "a b0", "a b1", "a b2", "a b3", "a b4", "a b5" FROM local.orders LIMIT 5',
  ])
  over('dataset')
  await vi.waitFor(() => expect(screen.queryByText('local.orders')).toBeNull())
  expect(ask.mock.calls[0]?.[1].aborted).toBe(true)
})

test('rows that can’t be read are omitted, and those of a view aren’t queried', async () => {
  const ask = vi.fn<AskRows>().mockRejectedValue(new Error('no such table'))
  setup(<Lines ask={ask} />)
  over('table')
  expect(await screen.findByText('a b0')).toBeTruthy()
  over('view')
  await vi.waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(1))
  expect(ask).toHaveBeenCalledTimes(1)
})

test('nothing is shown for touch, or after using the row', async () => {
  setup(<Lines ask={() => Promise.resolve(null)} />)
  over('table', 'touch')
  over('view')
  fireEvent.pointerDown(screen.getByText('view'))
  await rest()
  expect(screen.queryByText('local.orders')).toBeNull()
  // It stays closed while the pointer is on the row.
  over('view')
  await rest()
  expect(screen.queryByText('local.orders')).toBeNull()
})

test('nothing is shown if a row moves under a resting pointer', async () => {
  setup(<Lines ask={() => Promise.resolve(null)} />)
  over('dataset')
  over('table', 'mouse', 0)
  await rest()
  expect(screen.queryByText('local.orders')).toBeNull()
})
