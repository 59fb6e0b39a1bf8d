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

test('a limit may be typed as the file has its numbers', async () => {
  const { user } = setup(<Held type="DECIMAL(4,2)" decimalMark="," />)
  const least = screen.getByRole<HTMLInputElement>('textbox', { name: 'Least' })
  await user.type(least, '-0,50')
  await user.type(screen.getByRole('textbox', { name: 'Greatest' }), '1.5')
  expect(screen.getByRole('status').textContent).toBe('{"minimum":"-0.50","maximum":"1.5"}')
  expect(least.value).toBe('-0.50')
})

test('a comma is none where the file has points', async () => {
  const { user } = setup(<Held type="DOUBLE" />)
  await user.type(screen.getByRole('textbox', { name: 'Least' }), '1,500')
  expect(screen.getByRole('status').textContent).toBe('{"minimum":"1,500"}')
})

test.each([
  ['BIGINT', 'Such as 1234.5'],
  ['DATE', 'Such as 2025-12-31'],
  ['TIMESTAMP WITH TIME ZONE', 'Such as 2025-12-31 14:05:09'],
])('a limit of %s says how it is written', (type, hint) => {
  setup(<Held type={type} />)
  expect(screen.getAllByText(hint)).toHaveLength(2)
})

test('an allowed value may have a comma', async () => {
  const { user } = setup(<Held type="VARCHAR" checks={{ enum: ['Smith, J.', 'Doe'] }} />)
  const only = screen.getByRole<HTMLInputElement>('textbox', { name: 'Only these values' })
  expect(only.value).toBe('"Smith, J.", Doe')
  await user.type(only, ', "Roe, R."')
  expect(screen.getByRole('status').textContent).toBe('{"enum":["Smith, J.","Doe","Roe, R."]}')
})
