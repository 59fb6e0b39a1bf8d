import { expect, it } from 'vitest'
import { treeMove } from '../../../../ui/tree-keys.ts'
import { TypeAhead } from './keyboard.ts'
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

it('moves like a tree', () => {
  expect(rows.map(({ label }) => label)).toEqual(['Local files', 'apples', 'team', 'Apricots', 'Beets'])
  expect(treeMove('ArrowDown', rows, 0)).toEqual({ go: 1 })
  expect(treeMove('ArrowUp', rows, 0)).toBeNull()
  expect(treeMove('ArrowDown', rows, 4)).toBeNull()
  expect(treeMove('End', rows, 1)).toEqual({ go: 4 })
  expect(treeMove('Home', rows, 3)).toEqual({ go: 0 })
  expect(treeMove('PageDown', rows, 1, 2)).toEqual({ go: 3 })
  expect(treeMove('a', rows, 1)).toBeNull()
})

it('expands and collapses, and moves in and out', () => {
  expect(treeMove('ArrowRight', rows, 1)).toEqual({ toggle: [rows[1]?.key] })
  expect(treeMove('ArrowRight', rows, 0)).toEqual({ go: 1 })
  expect(treeMove('ArrowRight', rows, 3)).toBeNull()
  expect(treeMove('ArrowLeft', rows, 0)).toEqual({ toggle: [rows[0]?.key] })
  expect(treeMove('ArrowLeft', rows, 4)).toEqual({ go: 2 })
  expect(treeMove('*', rows, 1)).toEqual({ toggle: [rows[1]?.key] })
})

it('moves to what begins with the typed letters', () => {
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
