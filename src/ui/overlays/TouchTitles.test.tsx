import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IconButton } from '../Button.tsx'
import { setup } from '../testing/render.tsx'
import TouchTitles from './TouchTitles.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function show() {
  const onClick = vi.fn()
  setup(
    <>
      <IconButton label="Remove" onClick={onClick}>
        <svg data-testid="icon" />
      </IconButton>
      <TouchTitles />
    </>,
  )
  const icon = screen.getByTestId('icon')
  const press = (milliseconds: number, pointerType = 'touch'): void => {
    fireEvent(icon, new PointerEvent('pointerdown', { bubbles: true, pointerType }))
    act(() => void vi.advanceTimersByTime(milliseconds))
    fireEvent(icon, new PointerEvent('pointerup', { bubbles: true, pointerType }))
    fireEvent.click(icon)
  }
  return { press, onClick }
}

test('a long press shows an icon’s title, and doesn’t click', () => {
  const { press, onClick } = show()
  press(600)
  expect(screen.getByText('Remove')).toBeTruthy()
  expect(onClick).not.toHaveBeenCalled()
  act(() => void vi.advanceTimersByTime(2000))
  expect(screen.queryByText('Remove')).toBeNull()
  press(100)
  expect(onClick).toHaveBeenCalledOnce()
})

test('a short press, and one with a mouse, are clicks', () => {
  const { press, onClick } = show()
  press(100)
  press(900, 'mouse')
  expect(onClick).toHaveBeenCalledTimes(2)
  expect(screen.queryByText('Remove')).toBeNull()
})
