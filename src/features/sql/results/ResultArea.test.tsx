import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeSql, setupSql } from '../testing/render-sql.tsx'
import { ResultArea } from './ResultArea.tsx'
import { IDLE } from './types.ts'

async function hint(pointer: 'coarse' | 'fine'): Promise<string | null> {
  const matches = vi
    .spyOn(globalThis, 'matchMedia')
    .mockImplementation(
      (query) => ({ matches: query.includes(pointer), addEventListener() {}, removeEventListener() {} }) as never,
    )
  const sql = await fakeSql(['a'])
  const tab = sql.tabs.find('a')
  if (!tab) throw new Error('no tab')
  const { unmount } = setupSql(
    sql,
    <ResultArea tab={tab} run={IDLE} onGoTo={() => undefined} onStatement={() => undefined} />,
  )
  const { textContent } = await screen.findByText(/^Rows appear here/)
  unmount()
  matches.mockRestore()
  return textContent
}

test('the hint to run a statement fits the device: keys, or a button on touch screens', async () => {
  expect(await hint('fine')).toMatch(/run it with (?:Ctrl |⌘)Enter\.$/)
  expect(await hint('coarse')).toMatch(/run it with Run\.$/)
})
