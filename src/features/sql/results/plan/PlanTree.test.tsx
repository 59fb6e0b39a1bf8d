import { expect, test } from 'vitest'
import { screen } from '@testing-library/react'
import type { PlanOperator } from '../../../../engine/client.ts'
import { setup } from '../../../../ui/testing/render.tsx'
import { measured } from './plan.ts'
import { PlanTree } from './PlanTree.tsx'

const operator = (name: string, children: readonly PlanOperator[] = []): PlanOperator => ({
  name,
  details: [],
  estimatedRows: null,
  rows: null,
  milliseconds: null,
  children,
})

test('Enter and Space expand and collapse a step, and arrows move along visible ones', async () => {
  const { user } = setup(<PlanTree root={measured(operator('TOP_N', [operator('FILTER', [operator('SEQ_SCAN')])]))} />)
  const step = (name: RegExp) => screen.getByRole('treeitem', { name })
  await user.tab()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(document.activeElement).toBe(step(/^Filter/))
  expect(step(/^Filter/).getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByRole('treeitem', { name: /^Table scan/ })).toBeNull()
  await user.keyboard(' {End}')
  expect(document.activeElement).toBe(step(/^Table scan/))
  // It has no children.
  await user.keyboard('{Enter}{ArrowLeft}{ArrowLeft}')
  expect(step(/^Filter/).getAttribute('aria-expanded')).toBe('false')
})
