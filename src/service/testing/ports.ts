import 'fake-indexeddb/auto'
import { onTestFinished } from 'vitest'
import type { Clock, Ports } from '../ports.ts'
import { createMemoryObjects } from './objects.ts'
import { openRecords, type IndexedRecords } from '../stores/records-idb.ts'
import { createTestTables } from './tables.ts'

export interface TestClock extends Clock {
  advance(milliseconds: number): void
  set(now: number): void
}

export interface TestPorts extends Ports {
  readonly clock: TestClock
  readonly records: IndexedRecords
  /** What was logged. */
  readonly lines: readonly string[]
}

/** Midnight in UTC, where windows of a minute, an hour and a day begin. */
export const START = Date.UTC(2026, 10, 21)

/** A clock that stands still until it's told otherwise. */
export function testClock(start = START): TestClock {
  let time = start
  return {
    now: () => time,
    advance(milliseconds) {
      time += milliseconds
    },
    set(now) {
      time = now
    },
  }
}

/**
 * Ports for one test, with a database of its own: IndexedDB in memory, objects in memory, tables in a native DuckDB.
 * What's passed in stands in for a part of them.
 */
export function testPorts(overrides: Partial<TestPorts> = {}): TestPorts {
  const records = openRecords({ name: `test-${crypto.randomUUID()}` })
  onTestFinished(() => records.close())
  const lines: string[] = []
  return {
    clock: testClock(),
    records,
    objects: createMemoryObjects(),
    tables: createTestTables(),
    log: (line) => lines.push(line),
    lines,
    ...overrides,
  }
}
