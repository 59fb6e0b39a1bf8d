import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError } from '../../../../api/errors.ts'
import { setup } from '../../../../ui/testing/render.tsx'
import { NotListed } from './SchemaTree.tsx'

test('if no requests are left to list datasets, the tree says when there will be', () => {
  const fields = { status: 429, requestId: 'req_1', details: { retry_after: 821 } }
  const error = new ApiError('RATE_LIMITED', 'The plan allows 100 requests per hour. Try again in 821 s.', fields)
  setup(<NotListed error={error} onRetry={() => undefined} />)
  expect(screen.getByRole('alert').textContent).toContain('The limit of requests is used up. Try again in 13 min 41 s.')
})
