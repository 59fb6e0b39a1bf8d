import { expect, test, vi } from 'vitest'

test('what takes longer than a second is waited for', async () => {
  const begun = performance.now()
  await vi.waitFor(() => expect(performance.now() - begun).toBeGreaterThan(1200))
})

test('a timeout of one’s own holds', async () => {
  await expect(vi.waitFor(() => expect(1).toBe(2), 60)).rejects.toThrow('expected 1 to be 2')
  await expect(vi.waitFor(() => expect(1).toBe(2), { timeout: 60 })).rejects.toThrow('expected 1 to be 2')
})
