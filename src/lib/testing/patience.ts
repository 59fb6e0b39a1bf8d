import { vi } from 'vitest'

/*
 * Test set-up: `vi.waitFor` waits for as long as a busy machine may take, unlike Vitest's default of a second. Tests don't
 * wait longer than they need.
 */

const TIMEOUT = 60_000
const ADDED = Symbol.for('rowhouse patience')

// Set-up runs for each test file, and some files share a process.
if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true)
  const { waitFor } = vi
  vi.waitFor = (callback, options) =>
    waitFor(callback, { timeout: TIMEOUT, ...(typeof options === 'number' ? { timeout: options } : options) })
}
