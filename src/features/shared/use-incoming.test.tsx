import { renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { useIncoming } from './use-incoming.ts'

test('what is handed over is taken once, also in strict mode, which runs effects twice', () => {
  const [taken, consumed]: [string[][], string[][]] = [[], []]
  const hook = (incoming: readonly string[]): void =>
    useIncoming(
      incoming,
      (all) => consumed.push([...all]),
      (all) => taken.push([...all]),
    )
  const first = ['a.csv']
  const { rerender } = renderHook(hook, { initialProps: first, wrapper: StrictMode })
  rerender(first)
  expect(taken).toEqual([['a.csv']])
  rerender([])
  rerender(['b.csv', 'c.csv'])
  expect(taken).toEqual([['a.csv'], ['b.csv', 'c.csv']])
  expect(consumed).toEqual(taken)
})
