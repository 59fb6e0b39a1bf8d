import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { deferred } from '../lib/testing.ts'
import { refetch } from './refetch.ts'

test('what changes while it’s read for the first time is read again, and the earlier answer isn’t shown', async () => {
  const queries = new QueryClient()
  const first = deferred<string>()
  const read = vi.fn(() => Promise.resolve('new')).mockReturnValueOnce(first.promise)
  const shown = new QueryObserver(queries, { queryKey: ['list'], queryFn: read, retry: false })
  const stop = shown.subscribe(() => undefined)
  refetch(queries, { queryKey: ['list'] })
  first.resolve('old')
  await vi.waitFor(() => expect(shown.getCurrentResult()).toMatchObject({ data: 'new', isFetching: false }))
  expect(read).toHaveBeenCalledTimes(2)
  stop()
  queries.clear()
})
