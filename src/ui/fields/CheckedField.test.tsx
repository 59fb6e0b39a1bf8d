import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { FormDialog } from '../overlays/Dialog.tsx'
import { setup } from '../testing/render.tsx'
import { NumberField } from './CheckedField.tsx'

test('a dialog with an invalid number isn’t submitted: the number gets the focus and stays as typed', async () => {
  const submit = vi.fn<(share: number) => void>()
  function Ask() {
    const [share, setShare] = useState(50)
    return (
      <FormDialog title="Share" action="Save" onClose={() => undefined} onSubmit={() => submit(share)}>
        <NumberField label="At least, in %" value={share} onChange={setShare} />
      </FormDialog>
    )
  }
  const { user } = setup(<Ask />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'At least, in %' })
  await user.clear(field)
  await user.type(field, '7,5')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(submit).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('7,5')
  expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 0 to 999,999,999.')
  await user.clear(field)
  await user.type(field, '75{Enter}')
  expect(submit.mock.calls).toEqual([[75]])
})
