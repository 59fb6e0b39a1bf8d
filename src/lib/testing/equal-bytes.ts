import { expect } from 'vitest'

/*
 * Set-up of the tests: compares bytes at once. Vitest compares typed arrays value by value, as objects may be: that takes
 * half a second of the processor for 100 kB.
 */

const ADDED = Symbol.for('rowhouse equal bytes')

function bytesOf(value: unknown): Buffer | null {
  if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value)) return null
  // Those that went to another thread can't be looked at.
  if (value.byteLength === 0) return Buffer.alloc(0)
  return value instanceof ArrayBuffer
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/** Says that two of one type are equal where their bytes are; of others, Vitest says whether and where they differ. */
function haveEqualBytes(one: unknown, other: unknown): boolean | undefined {
  const bytes = bytesOf(one)
  const others = bytes && bytesOf(other)
  if (!bytes || !others || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return undefined
  // To Vitest's `toEqual`, any two buffers are equal.
  return bytes.equals(others) || (one instanceof ArrayBuffer ? false : undefined)
}

// Set-up runs for each file of tests, and some files share a process.
if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true)
  expect.addEqualityTesters([haveEqualBytes])
}
