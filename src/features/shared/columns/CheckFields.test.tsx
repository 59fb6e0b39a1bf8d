import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { ColumnChecks } from '../../../tables/checks.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { CheckFields } from './CheckFields.tsx'

interface HeldProps {
  readonly type: string
  readonly decimalMark?: string
  readonly checks?: ColumnChecks
}

function Held({ type, decimalMark, checks: given = {} }: HeldProps) {
  const [checks, setChecks] = useState(given)
  return (
    <>
      <CheckFields of="a" type={type} decimalMark={decimalMark} checks={checks} locked={false} onChange={setChecks} />
      <output>{JSON.stringify(checks)}</output>
    </>
  )
}

test('a limit may have the file’s decimal mark', async () => {
  const { user } = setup(<Held type="DECIMAL(4,2)" decimalMark="," />)
  const least = screen.getByRole<HTMLInputElement>('textbox', { name: 'Least' })
  await user.type(least, '-0,50')
  await user.type(screen.getByRole('textbox', { name: 'Greatest' }), '1.5')
  expect(screen.getByRole('status').textContent).toBe('{"minimum":"-0.50","maximum":"1.5"}')
  expect(least.value).toBe('-0.50')
})

test('a comma isn’t a decimal mark if the file uses points', async () => {
  const { user } = setup(<Held type="DOUBLE" />)
  await user.type(screen.getByRole('textbox', { name: 'Least' }), '1,500')
  expect(screen.getByRole('status').textContent).toBe('{"minimum":"1,500"}')
})

test.each([
  ['BIGINT', 'Such as 1234'],
  ['DOUBLE', 'Such as 1234.5'],
  ['DATE', 'Such as 2025-12-31'],
  ['TIMESTAMP WITH TIME ZONE', 'Such as 2025-12-31 14:05:09'],
])('a limit of type %s says its format', (type, hint) => {
  setup(<Held type={type} />)
  expect(screen.getAllByText(hint)).toHaveLength(2)
})

test('an allowed value may contain a comma', async () => {
  const { user } = setup(<Held type="VARCHAR" checks={{ enum: ['Smith, J.', 'Doe'] }} />)
  const only = screen.getByRole<HTMLInputElement>('textbox', { name: 'Only these values' })
  expect(only.value).toBe('"Smith, J.", Doe')
  await user.type(only, ', "Roe, R."')
  expect(screen.getByRole('status').textContent).toBe('{"enum":["Smith, J.","Doe","Roe, R."]}')
})

test.each([
  ['DOUBLE', 'Least', 'ten', '1e3', '“ten” isn’t a number.'],
  ['BIGINT', 'Greatest', '1.5', '-15', '“1.5” isn’t a whole number.'],
  ['DATE', 'Least', '31.12.2025', '2025-12-31', '“31.12.2025” isn’t written as 2025-12-31.'],
  ['TIME', 'Least', 'noon', '12:00', '“noon” isn’t written as 14:05:09.'],
  ['TIMESTAMP', 'Least', 'x', '2025-12-31 14:05:09.5', '“x” isn’t written as 2025-12-31 14:05:09.'],
  ['VARCHAR', 'Pattern', 'a(', 'a(b)', 'This isn’t a regular expression.'],
  ['INTEGER', 'Only these values', '1, two', '1, 2', '“two” isn’t a number.'],
])('for type %s, an invalid “%s” shows its error', async (type, label, wrong, right, said) => {
  const { user } = setup(<Held type={type} />)
  const field = screen.getByRole('textbox', { name: label })
  await user.click(field)
  await user.paste(wrong)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe(said)
  await user.clear(field)
  await user.paste(right)
  expect(field.getAttribute('aria-invalid')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})
