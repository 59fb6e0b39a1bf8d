import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Proposal } from '../../../tables/plan.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { ProposalButton } from './ProposalButton.tsx'

const proposal: Proposal = {
  code: 'day-first',
  label: 'Apply: 3 April 2025 (day first)',
  message: '2 values would become dates.',
  example: { from: '03/04/2025', to: '2025-04-03' },
  change: { kind: 'column', patch: { type: 'DATE', format: { dateFormat: '%d/%m/%Y' } } },
}

test('focus shows what the first values become, which is requested once', async () => {
  const onPreview = vi.fn(() => Promise.resolve([['03/04/2025', '2025-04-03'] as const, [null, null] as const]))
  const onApply = vi.fn()
  const { user } = setup(
    <ProposalButton proposal={proposal} disabled={false} onPreview={onPreview} onApply={onApply} />,
  )
  await user.tab()
  const table = await screen.findByRole('table')
  await vi.waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(3))
  expect(within(table).getByRole('row', { name: '03/04/2025 2025-04-03' })).toBeTruthy()
  expect(onPreview).toHaveBeenCalledOnce()
  expect(onApply).not.toHaveBeenCalled()
  await user.keyboard('{Enter}')
  expect(onApply).toHaveBeenCalledOnce()
})
