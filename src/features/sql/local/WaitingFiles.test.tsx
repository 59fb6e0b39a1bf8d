import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Store } from '../../../lib/store.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { SqlContext, type Sql } from '../context.tsx'
import { WaitingFiles } from './WaitingFiles.tsx'

/** The list of one file, and what the person answers the browser's question. */
function shown(answers: boolean[]) {
  const waiting = new Store([{ id: 't', source: { name: 'orders.parquet', size: 1, table: null } }])
  const allow = (): Promise<boolean> => {
    const isGiven = answers.shift() ?? false
    if (isGiven) waiting.set([])
    return Promise.resolve(isGiven)
  }
  const sql = { local: { tables: { waiting, allow } } } as unknown as Sql
  const rendered = setup(
    <SqlContext value={sql}>
      <WaitingFiles />
    </SqlContext>,
  )
  return { ...rendered, button: screen.getByRole('button', { name: 'Allow reading orders.parquet' }) }
}

test('a file that may not be read is said to wait, and what to do, each time that permission is refused', async () => {
  const { user, button } = shown([false, false, true])
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(button)
  const first = await screen.findByRole('alert')
  expect(first.textContent).toContain('The browser doesn’t let the page read it.')
  expect(first.textContent).toContain('drop the file here again')
  await user.click(button)
  // Announced once more: another element with the same words.
  await waitFor(() => expect(screen.getByRole('alert')).not.toBe(first))
  await user.click(button)
  await waitFor(() => expect(screen.queryByRole('list')).toBeNull())
})
