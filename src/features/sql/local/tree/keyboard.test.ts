import { expect, it } from 'vitest'
import { moveOf, TypeAhead } from './keyboard.ts'
import { flatten, type TreeRow } from './nodes.ts'

const SCHEMA = {
  local: [{ id: 'l', name: 'apples', rowCount: 1, columns: [{ name: 'a', type: 'DATE' }], reference: 'local.apples' }],
  temporary: [],
  workspaces: [
    {
      name: 'team',
      datasets: [
        { id: 'd', name: 'Apricots', tables: [] },
        { id: 'e', name: 'Beets', tables: [] },
      ],
    },
  ],
}
const rows: TreeRow[] = flatten(SCHEMA, { query: '', opened: new Map() })

it('moves as a tree does', () => {
  expect(rows.map(({ label }) => label)).toEqual(['Local files', 'apples', 'team', 'Apricots', 'Beets'])
  expect(moveOf('ArrowDown', rows, 0)).toEqual({ kind: 'go', to: 1 })
  expect(moveOf('ArrowUp', rows, 0)).toBeNull()
  expect(moveOf('ArrowDown', rows, 4)).toBeNull()
  expect(moveOf('End', rows, 1)).toEqual({ kind: 'go', to: 4 })
  expect(moveOf('Home', rows, 3)).toEqual({ kind: 'go', to: 0 })
  expect(moveOf('PageDown', rows, 1, 2)).toEqual({ kind: 'go', to: 3 })
  expect(moveOf('a', rows, 1)).toBeNull()
})

it('opens and closes, and goes in and out', () => {
  expect(moveOf('ArrowRight', rows, 1)).toEqual({ kind: 'open', keys: [rows[1]?.key] })
  expect(moveOf('ArrowRight', rows, 0)).toEqual({ kind: 'go', to: 1 })
  expect(moveOf('ArrowRight', rows, 3)).toBeNull()
  expect(moveOf('ArrowLeft', rows, 0)).toEqual({ kind: 'close', keys: [rows[0]?.key] })
  expect(moveOf('ArrowLeft', rows, 4)).toEqual({ kind: 'go', to: 2 })
  expect(moveOf('*', rows, 1)).toEqual({ kind: 'open', keys: [rows[1]?.key] })
})

it('goes to what begins with what is typed', () => {
  const typing = new TypeAhead()
  expect(typing.find('a', rows, 0, 0)).toBe(1)
  expect(typing.find('p', rows, 1, 100)).toBe(1)
  expect(typing.find('r', rows, 1, 200)).toBe(3)
  expect(typing.isTyping(300)).toBe(true)
  expect(typing.find('b', rows, 3, 2000)).toBe(4)
  expect(typing.find('a', rows, 4, 4000)).toBe(1)
  expect(typing.find('a', rows, 1, 4100)).toBe(3)
  expect(typing.find('z', rows, 1, 9000)).toBeNull()
})
