import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Button } from '../Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { setup } from '../testing/render.tsx'

interface Props {
  readonly onConfirm: () => void
  readonly phrase?: string
  readonly busy?: boolean
  readonly error?: string
}

function Asking({ onConfirm, ...rest }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Begin</Button>
      <ConfirmDialog
        title="Delete it?"
        action="Delete"
        danger
        open={open}
        onConfirm={onConfirm}
        onClose={() => setOpen(false)}
        {...rest}
      >
        <p>All of it goes.</p>
      </ConfirmDialog>
    </>
  )
}

async function ask(props: Partial<Props> = {}) {
  const onConfirm = vi.fn()
  const { user } = setup(<Asking onConfirm={onConfirm} {...props} />)
  const begin = screen.getByRole('button', { name: 'Begin' })
  await user.click(begin)
  await screen.findByRole('dialog', { name: 'Delete it?' })
  const action = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  return { user, begin, action, onConfirm }
}

test('a phrase has to be typed again after the dialog was closed', async () => {
  const { user, begin } = await ask({ phrase: 'Shop' })
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Type “Shop” to confirm' })
  await user.type(await field(), 'Shop')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(begin)
  expect((await field()).value).toBe('')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
})

test('an action with a phrase is enabled once the phrase is typed, and Enter runs it', async () => {
  const { user, action, onConfirm } = await ask({ phrase: 'Shop' })
  expect(action.disabled).toBe(true)
  const field = screen.getByRole('textbox', { name: 'Type “Shop” to confirm' })
  await user.type(field, 'Sho{Enter}')
  expect(onConfirm).not.toHaveBeenCalled()
  await user.type(field, 'p{Enter}')
  expect(onConfirm).toHaveBeenCalledTimes(1)
  expect(action.disabled).toBe(false)
})

test('Escape changes nothing, and returns the focus', async () => {
  const { user, begin, onConfirm } = await ask()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(begin))
  expect(onConfirm).not.toHaveBeenCalled()
})

test('the action runs once at a time, and says why it failed', async () => {
  const { user, action, onConfirm } = await ask({ busy: true, error: 'It’s in use.' })
  expect(screen.getByRole('alert').textContent).toBe('It’s in use.')
  await user.click(action)
  expect([action.disabled, onConfirm.mock.calls.length]).toEqual([true, 0])
})
