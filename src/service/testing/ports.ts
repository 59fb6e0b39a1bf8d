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
  /** The log. */
  readonly lines: readonly string[]
}

/** Midnight UTC, when windows of a minute, an hour and a day begin. */
export const START = Date.UTC(2026, 10, 21)

/** A clock that only advances when it's told to. */
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
 * Ports for one test, with their own database: IndexedDB in memory, objects in memory, tables in native DuckDB.
 * @param overrides replace some of them
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
