import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setup } from '../../../../ui/testing/render.tsx'
import { CompactList } from './CompactList.tsx'

const items = Array.from({ length: 500 }, (_, i) => ({ id: `f${i}` }))

function show() {
  return setup(
    <CompactList
      items={items}
      idOf={({ id }) => id}
      renderLine={({ id }, onOpen) => (
        <button type="button" onClick={() => onOpen(id)}>
          Open {id}
        </button>
      )}
      renderCard={({ id }, onFold) => (
        <button type="button" onClick={() => onFold(id)}>
          Fold {id}
        </button>
      )}
    />,
  )
}

test('of many lines, only those in view are rendered', async () => {
  show()
  await screen.findByRole('button', { name: 'Open f0' })
  expect(screen.getAllByRole('button').length).toBeLessThan(60)
})

test('a line opens to a card in its place, and those below move down', async () => {
  const { user, container } = show()
  const height = (): number => Number.parseFloat((container.firstElementChild as HTMLElement).style.height)
  await user.click(await screen.findByRole('button', { name: 'Open f1' }))
  expect(height()).toBeGreaterThan(500 * 52)
  await user.click(screen.getByRole('button', { name: 'Fold f1' }))
  expect(height()).toBe(500 * 52)
  await screen.findByRole('button', { name: 'Open f1' })
})

test('when the page is printed, all lines are rendered', async () => {
  show()
  await screen.findByRole('button', { name: 'Open f0' })
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(screen.getAllByRole('button')).toHaveLength(500)
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(screen.getAllByRole('button').length).toBeLessThan(60)
})
