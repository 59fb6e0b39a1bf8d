import { expect, test } from 'vitest'
import { parseType } from '../../../tables/types.ts'
import type { JsonSettings } from '../../../tables/settings.ts'
import { cellToString } from '../../arrow/text.ts'
import { jsonReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'

const DUMP = JSON.stringify({
  version: 3,
  users: [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bob' },
  ],
  shop: {
    orders: [
      { no: 'A', sum: 1.5 },
      { no: 'B', sum: 2 },
      { no: 'C', sum: 3 },
    ],
    codes: [1, 2],
  },
})
const file = new File([DUMP], 'dump.json')

test('the lists of a file are told with their sizes, and each can be a table', async () => {
  const found = await jsonReader.inspect(file, {}, QUIET)
  expect(found.lists).toEqual([
    { path: ['users'], items: 2, whole: true },
    { path: ['shop', 'orders'], items: 3, whole: true },
  ])
  const [proposal] = found.proposals ?? []
  expect(proposal).toMatchObject({
    message: 'The file has 2 lists: “users” (2), “orders” (3). Each can be a table.',
    label: 'Apply: read 2 lists as tables',
    ambiguous: true,
  })
  if (proposal?.change.kind !== 'reading') throw new Error('no change of the settings')
  const several = await jsonReader.inspect(file, proposal.change.settings, QUIET)
  expect(several.proposals).toBeUndefined()
  const read = []
  for (const { name, columns } of several.tables) {
    const wanted = columns.map(({ index, source, type }) => ({ index, source, type: parseType(type) }))
    const rows: (string | null)[][] = []
    const request = { settings: several.settings, table: name, columns: wanted }
    for await (const { batch } of jsonReader.read(file, request, QUIET)) {
      for (let row = 0; row < batch.numRows; row++) {
        rows.push(wanted.map(({ type }, i) => cellToString(type, batch.data.children[i], row)))
      }
    }
    read.push({ name, names: columns.map((column) => column.name), rows })
  }
  expect(read).toEqual([
    {
      name: 'users',
      names: ['id', 'name'],
      rows: [
        ['1', 'Ann'],
        ['2', 'Bob'],
      ],
    },
    {
      name: 'orders',
      names: ['no', 'sum'],
      rows: [
        ['A', '1.5'],
        ['B', '2.0'],
        ['C', '3.0'],
      ],
    },
  ])
})

test('lists within lists, and a single one, are no tables of their own', async () => {
  const nested = new File([JSON.stringify({ data: [{ id: 1, tags: [{ t: 1 }] }] })], 'nested.json')
  const found = await jsonReader.inspect(nested, {}, QUIET)
  expect([found.lists, found.proposals]).toEqual([undefined, undefined])
})

test('the only list of a single row can be the rows', async () => {
  const points = [1, 2, 3].map((n) => ({ '@lat': `52.${n}`, time: `2024-01-02T10:11:1${n}Z` }))
  const track = { gpx: { '@version': '1.1', metadata: { by: 'x' }, trk: { name: 'Run', trkseg: { trkpt: points } } } }
  const gpx = new File([JSON.stringify(track)], 'run.json')
  const found = await jsonReader.inspect(gpx, {}, QUIET)
  const [proposal] = found.proposals ?? []
  expect(proposal).toMatchObject({
    label: 'Apply: read “trkpt” as rows',
    message:
      'The file is a single row, with a list in it: “trkpt” (3). Each of its elements can be a row; what is beside it would not be read.',
    ambiguous: true,
  })
  if (proposal?.change.kind !== 'reading') throw new Error('no change of the settings')
  const read = await jsonReader.inspect(gpx, proposal.change.settings, QUIET)
  expect([read.tables[0].rows, read.tables[0].columns.map(({ name }) => name), read.proposals]).toEqual([
    3,
    ['@lat', 'time'],
    undefined,
  ])
  const rows = new File([JSON.stringify([{ id: 1, items: [{ a: 1 }, { a: 2 }] }])], 'rows.json')
  expect((await jsonReader.inspect(rows, {}, QUIET)).proposals).toBeUndefined()
})

test('one list can be chosen', async () => {
  const given: Partial<JsonSettings> = { kind: 'json', path: ['shop', 'orders'] }
  const { tables } = await jsonReader.inspect(file, given, QUIET)
  expect(tables.map(({ columns }) => columns.map(({ name }) => name))).toEqual([['no', 'sum']])
})
