import { expect, it } from 'vitest'
import { inspect, readAll, texts } from './testing.ts'

/* Tables drawn by ClickHouse, with names in the border or between heavy lines; and lines of dashes below names. */

async function read(text: string) {
  const inspection = await inspect(text)
  const [{ columns }] = inspection.tables
  const { rows, rejected } = await readAll(text, inspection, texts(inspection))
  return {
    names: columns.map(({ source }) => source),
    rows,
    rejected: rejected.map(({ line }) => line),
    notes: inspection.notes.map(({ message }) => message),
  }
}

it('says that the numbers beside the rows are not read', async () => {
  const text = '   ┌─id─┬─t─┐\n1. │  0 │ a │\n2. │  1 │ b │\n   └────┴───┘\n'
  const rows = [
    ['0', 'a'],
    ['1', 'b'],
  ]
  const notes = ['The numbers to the left of the drawn table are not read.']
  expect(await read(text)).toEqual({ names: ['id', 't'], rows, rejected: [], notes })
})

it('may have one column and one row', async () => {
  expect(await read('┌─count()─┐\n│       7 │\n└─────────┘\n')).toEqual({
    names: ['count()'],
    rows: [['7']],
    rejected: [],
    notes: [],
  })
})

it('reads the blocks of a table, each with the names above, and says what stands between them', async () => {
  const text = '┌─n─┬──m─┐\n│ 0 │ 40 │\n└───┴────┘\n\nTotals:\n┌─n─┬───m─┐\n│ 0 │ 120 │\n└───┴─────┘\n'
  const { names, rows, notes } = await read(text)
  expect(names).toEqual(['n', 'm'])
  expect(rows).toEqual([
    ['0', '40'],
    ['0', '120'],
  ])
  expect(notes.at(-1)).toBe('2 lines outside of the drawn table are not read; the first is line 5, “Totals:”.')
})

it('takes names that are drawn again below the rows for no row', async () => {
  const compact = '┌─n─┬─m─┐\n│ 0 │ 4 │\n│ 1 │ 5 │\n└─n─┴─m─┘\n'
  expect((await read(compact)).rows.length).toBe(2)
  const pretty = '┏━━━┳━━━┓\n┃ n ┃ m ┃\n┡━━━╇━━━┩\n│ 0 │ 4 │\n├───┼───┤\n│ 1 │ 5 │\n├───┼───┤\n┃ n ┃ m ┃\n└━━━┴━━━┘\n'
  const { names, rows } = await read(pretty)
  expect([names, rows.length]).toEqual([['n', 'm'], 2])
})

it('makes no row of the rest of a value with a line break', async () => {
  const text = '   ┌─id─┬─t─┬─u─┐\n1. │  0 │ a↴│ x │\n   │    │↳b │   │\n2. │  1 │ c │ y │\n   └────┴───┴───┘\n'
  const { rows, notes } = await read(text)
  expect(rows).toEqual([
    ['0', 'a↴', 'x'],
    ['1', 'c', 'y'],
  ])
  expect(notes).toContain('1 line outside of the drawn table is not read: line 3, “   │    │↳b │   │”.')
})

it('proposes the null that is drawn as a word', async () => {
  const text = '┌─n─┬─m────┐\n│ 0 │    4 │\n│ 1 │ ᴺᵁᴸᴸ │\n└───┴──────┘\n'
  const [{ columns }] = (await inspect(text)).tables
  expect(columns[1].proposals?.map(({ label }) => label)).toEqual(['Apply: “ᴺᵁᴸᴸ” is null, whole numbers'])
  const [{ columns: found }] = (await inspect(text, { nullStrings: ['', 'ᴺᵁᴸᴸ'] })).tables
  expect(found.map(({ type, nulls }) => [type, nulls])).toEqual([
    ['INTEGER', 0],
    ['INTEGER', 1],
  ])
})

it('takes a title in the border for no names', async () => {
  const text = '┌─ Fruit ─────┐\n│ id │ name   │\n├────┼────────┤\n│  1 │ apple  │\n│  2 │ cherry │\n└────┴────────┘\n'
  const { names, rows } = await read(text)
  expect([names, rows.length]).toEqual([['id', 'name'], 2])
})

it('leaves the cells of a table without a frame, whose first and last ones are empty', async () => {
  const text = ' a │ b │ c \n───┼───┼───\n 1 │ 2 │ 3\n   │ 5 │ \n 7 │ 8 │ 9\n'
  expect((await read(text)).rows).toEqual([
    ['1', '2', '3'],
    [null, '5', null],
    ['7', '8', '9'],
  ])
})

it('takes columns from the rows where names, and the lines below them, don’t stand above these', async () => {
  const text = `Stations_id von_datum bis_datum Stationshoehe Stationsname Abgabe
----------- --------- --------- ------------- ------------------------- ------
00001 19370101 19860630            478 Aach                             Frei
00003 18910101 20110331           1202 Bad Harzburg                     Frei
00044 19690101 20240305             44 Großenkneten                     Frei
`
  const { names, rows, rejected } = await read(text)
  expect(names).toEqual(['Stations_id', 'von_datum', 'bis_datum', 'Stationshoehe', 'Stationsname', 'Abgabe'])
  expect(rejected).toEqual([])
  expect(rows[1]).toEqual(['00003', '18910101', '20110331', '1202', 'Bad Harzburg', 'Frei'])
  expect(rows).toHaveLength(3)
})

it.each([
  ' id | name  |  at  \n----+-------+------\n  1 | a | b | 9:30\n  2 | ü|    | 9:45\n  3 | cde   | 9:50\n',
  '+----+-------+------+\n| id | name  | at   |\n+----+-------+------+\n|  1 | a | b | 9:30 |\n|  2 | ü|    | 9:45 |\n|  3 | cde   | 9:50 |\n+----+-------+------+\n',
])('keeps a value with the mark between cells in it, where the drawn line tells', async (text) => {
  const { rows, notes } = await read(text)
  expect(rows).toEqual([
    ['1', 'a | b', '9:30'],
    ['2', 'ü|', '9:45'],
    ['3', 'cde', '9:50'],
  ])
  expect(notes.filter((note) => note.includes('beyond') || note.includes('outside'))).toEqual([])
})
