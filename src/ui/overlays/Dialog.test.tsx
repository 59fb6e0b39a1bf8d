import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Button } from '../Button.tsx'
import { setup } from '../testing/render.tsx'
import { Dialog } from './Dialog.tsx'

/** A dialog with a list of files, each with a question that disappears when answered. */
function Files() {
  const [asked, setAsked] = useState(['a.csv', 'b.csv'])
  return (
    <Dialog title="Files" open onClose={() => {}}>
      <ul aria-label="Files">
        {['a.csv', 'b.csv'].map((name) => (
          <li key={name} aria-label={name}>
            {asked.includes(name) ? (
              <p>
                <Button onClick={() => setAsked(asked.filter((each) => each !== name))}>Add {name} again</Button>
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

test('if the focused element disappears, its closest ancestor gets the focus, not the whole dialog', async () => {
  const { user } = setup(<Files />)
  const button = await screen.findByRole('button', { name: 'Add a.csv again' })
  button.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('listitem', { name: 'a.csv' })))
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add b.csv again' }))
})
