import { describe, expect, it } from 'vitest'
import type { ResultSet } from '../session-types.ts'
import { findCells } from './find.ts'
import type { FoundCells } from './types.ts'

const setOf = (rows: readonly (readonly (string | null)[])[], rowCount = rows.length): ResultSet =>
  ({
    columns: [{ name: 'a' }, { name: 'b' }],
    rowCount,
    text: (row: number, column: number) => rows[row % rows.length]?.[column] ?? null,
  }) as unknown as ResultSet
const { signal } = new AbortController()
const options = { signal, onFound: () => undefined }

describe('what is looked for', () => {
  const set = setOf([
    ['Köln', 'Rhein'],
    [null, 'köln am RHEIN'],
    ['1.50', null],
  ])

  it('is found in either case, by rows and by the columns as they are shown', async () => {
    expect(await findCells(set, 'KÖLN', [0, 1], options)).toEqual({ places: [0, 3], end: 'all' })
    expect(await findCells(set, 'rhein', [1, 0], options)).toEqual({ places: [0, 2], end: 'all' })
    expect(await findCells(set, 'rhein', [0], options)).toEqual({ places: [], end: 'all' })
  })

  it('is told while millions of rows are gone over, and leaves the page free meanwhile', async () => {
    const told: FoundCells[] = []
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const found = await findCells(setOf([['x', 'y']], 1_000_000), 'x', [0, 1], {
      signal,
      most: 2_000_000,
      onFound: (now) => told.push(now),
    })
    clearInterval(timer)
    expect(found).toMatchObject({ end: 'all' })
    expect(found.places).toHaveLength(1_000_000)
    expect(turns).toBeGreaterThan(2)
    for (const { end, places } of told) {
      expect(end).toBe('looking')
      expect(places.length).toBeLessThan(1_000_000)
    }
  })

  it('is given up after so many cells, and when it is cancelled', async () => {
    expect(await findCells(setOf([['x', null]], 50), 'x', [0, 1], { ...options, most: 2 })).toEqual({
      places: [0, 2],
      end: 'more',
    })
    const controller = new AbortController()
    controller.abort()
    const cancelled = findCells(setOf([['x', null]]), 'x', [0], { ...options, signal: controller.signal })
    await expect(cancelled).rejects.toBe(controller.signal.reason)
  })
})
