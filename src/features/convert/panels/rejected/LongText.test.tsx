import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setup } from '../../../../ui/testing/render.tsx'
import { isLongText, LongText } from './LongText.tsx'

const text = `${'a'.repeat(10_000)}${'b'.repeat(10_000)}\r\nend`

test('a long text, or one with several lines, is edited in a dialog', () => {
  expect(['a', 'a\nb', 'a\rb', 'a'.repeat(1000), 'a'.repeat(1001)].map(isLongText)).toEqual([
    false,
    true,
    true,
    false,
    true,
  ])
})

test('a long text is edited in parts, and saved as a whole', async () => {
  const save = vi.fn()
  const { user } = setup(<LongText label="note, line 3" text={text} disabled={false} onSave={save} />)
  const opener = screen.getByRole('button', { name: 'Edit note, line 3' })
  expect(opener.textContent).toBe(`${'a'.repeat(120)}…`)
  await user.click(opener)
  const field = (name: string): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox', { name })
  expect(field('Characters 1 to 10,000 of 20,005').value).toBe('a'.repeat(10_000))
  const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name })
  expect([button('Previous part').disabled, button('Save').disabled]).toEqual([true, true])
  await user.click(button('Next part'))
  await user.click(button('Next part'))
  const last = field('Characters 20,001 to 20,005 of 20,005')
  expect([last.value.trim(), button('Next part').disabled]).toEqual(['end', true])
  await user.type(last, '!')
  await user.click(button('Previous part'))
  expect(field('Characters 10,001 to 20,000 of 20,006').value).toBe('b'.repeat(10_000))
  await user.click(button('Save'))
  expect(save).toHaveBeenCalledWith(`${text}!`)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('invalid input says why, and Escape doesn’t discard it', async () => {
  const typed = vi.fn()
  const { user } = setup(
    <LongText
      label="the text of line 3"
      text={'1\n2'}
      disabled={false}
      problem="This isn’t one row."
      onType={typed}
      onSave={() => undefined}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Edit the text of line 3' }))
  await user.type(screen.getByRole('textbox', { name: 'Text' }), '3')
  expect(typed).toHaveBeenLastCalledWith('1\n23')
  expect(screen.getByText('This isn’t one row.')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})
