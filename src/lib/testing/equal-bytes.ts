import { expect } from 'vitest'

/*
 * Test set-up: compares bytes at once. Vitest compares typed arrays value by value, like objects, which takes half a
 * second for 100 kB.
 */

const ADDED = Symbol.for('rowhouse equal bytes')

function bytesOf(value: unknown): Buffer | null {
  if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value)) return null
  // Buffers transferred to another thread can't be read.
  if (value.byteLength === 0) return Buffer.alloc(0)
  return value instanceof ArrayBuffer
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/**
 * Says that two arrays of one type are equal if their bytes are. Otherwise Vitest decides, and shows the difference.
 */
function haveEqualBytes(one: unknown, other: unknown): boolean | undefined {
  const bytes = bytesOf(one)
  const others = bytes && bytesOf(other)
  if (!bytes || !others || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return undefined
  // Vitest's `toEqual` treats any two buffers as equal.
  return bytes.equals(others) || (one instanceof ArrayBuffer ? false : undefined)
}

// Set-up runs for each test file, and some files share a process.
if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true)
  expect.addEqualityTesters([haveEqualBytes])
}
