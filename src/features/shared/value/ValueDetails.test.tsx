import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { setup } from '../../../ui/testing/render.tsx'
import { ValueDetails } from './ValueDetails.tsx'

describe('the details of a value', () => {
  const inspect = (type: string, text: string | null) => {
    return setup(<ValueDetails name="v" type={type} text={text} value={text} />)
  }

  test('distinguish null from an empty text', () => {
    inspect('VARCHAR', null)
    expect(screen.getByText('NULL: no value')).toBeDefined()
    inspect('VARCHAR', '')
    expect(screen.getByText('Empty: text of no length')).toBeDefined()
  })

  test('show JSON as a tree, or as text', async () => {
    const { user } = inspect('JSON', '{"city":"Oslo","tags":[]}')
    expect(screen.getByText('"Oslo"')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Show the text' }))
    expect(screen.getByLabelText('Value').textContent).toBe('{"city":"Oslo","tags":[]}')
  })

  test('show bytes in hex', () => {
    inspect('BLOB', btoa('Hi\n'))
    expect(screen.getByLabelText('Bytes').textContent).toContain('48 69 0a')
    expect(screen.getByRole('button', { name: 'Copy as base64' })).toBeDefined()
  })
})
