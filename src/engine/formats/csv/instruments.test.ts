import { describe, expect, it } from 'vitest'
import { inspect } from './testing.ts'

/* Files of instruments, of the system's own tools and of wikis, with nothing set by hand. */

async function columnsOf(text: string, given: Parameters<typeof inspect>[1] = {}) {
  const [{ columns, rows, rejectedCount, proposals = [] }] = (await inspect(text, given)).tables
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
  return { types, rows, rejectedCount, proposals, columns }
}

describe('A row that counts the columns', () => {
  const wells = (end: string, delimiter = ','): string =>
    ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
      .map((row, i) => [row, ...Array.from({ length: 12 }, (_, j) => `0.${i + 1}${j + 10}`)].join(delimiter) + end)
      .join('\n')
  const count = (delimiter = ','): string =>
    ['', ...Array.from({ length: 12 }, (_, i) => String(i + 1))].join(delimiter)
  const NAMES = ['column_1', ...Array.from({ length: 12 }, (_, i) => String(i + 1))]

  it.each([
    [
      'of a plate reader, below what it says of the plate',
      `Protocol,Absorbance 450 nm\nDate,2025-03-14\n\nResults\n${count()}\n${wells('')}\n`,
      NAMES,
    ],
    [
      'above rows that end with the wavelength',
      `Software\t3.11\n\nResults\n\n${count('\t')}\n${wells('\t450', '\t')}\n`,
      [...NAMES, 'column_14'],
    ],
    [
      'of a data frame without names, from 0 on',
      ',0,1,2\nx,5,1.5,7\ny,6,2.5,8\nz,7,3.5,9\n',
      ['column_1', '0', '1', '2'],
    ],
  ])('%s is the header', async (_, text, names) => {
    const { columns, rows, rejectedCount } = await columnsOf(text)
    expect(columns.map(({ name }) => name)).toEqual(names)
    expect(rows).toBe(names.length === 4 ? 3 : 8)
    expect(rejectedCount).toBe(0)
    expect(columns.slice(1).every(({ type }) => /^(INTEGER|DECIMAL)/.test(type))).toBe(true)
  })

  it.each(['<>', 'Temperature(C)', 'Plate:'])('may have %s in its corner above fractions', async (corner) => {
    const { columns, rows } = await columnsOf(`${corner}${count()}\n${wells('')}\n`)
    expect([columns.map(({ name }) => name), rows]).toEqual([[corner, ...NAMES.slice(1)], 8])
    expect((await columnsOf('A,1,2,3\nB,2,3,4\nC,5,6,7\n')).rows).toBe(3)
  })

  it('begins a table of its own where there are several plates, which are proposed', async () => {
    const { proposals = [] } = await inspect(
      `Date,2025-03-14\n\nFilter 450 nm\n${count()}\n${wells('')}\n\nFilter 630 nm\n${count()}\n${wells('')}\n`,
    )
    const message = proposals.find(({ code }) => code === 'several-tables')?.message
    expect(message).toContain('“Filter 450 nm” from line 4 on, “Filter 630 nm” from line 15 on')
  })

  it('joins several plates only if it’s asked to, as they’d lose what each is', async () => {
    const { proposals, tables } = await inspect(
      `Plate: P1\n${count()}\n${wells('')}\n\nPlate: P2\n${count()}\n${wells('')}\n`,
    )
    expect(proposals).toMatchObject([{ code: 'several-tables' }])
    expect(tables[0].proposals).toMatchObject([{ code: 'repeated-headers', ambiguous: true }])
  })

  it.each([
    ['with gaps', ',1,2,4\na,5,6,7\nb,5,6,7\n'],
    ['from another number on', ',5,6,7\na,5,6,7\nb,5,6,7\n'],
    ['above rows without names', ',1,2,3\n,4,5,6\n,7,8,9\n'],
  ])('%s is a row', async (_, text) => {
    expect((await columnsOf(text)).rows).toBe(3)
  })
})

describe('Names below a line with those of groups, all split at blanks (vmstat),', () => {
  const NAMES = ' r  b   swpd   free  si   so us sy id\n'
  const GROUPS = 'procs --memory--- ---swap-- --cpu---\n'
  const ROWS =
    ' 1  0      0 812340   0    0  3  1 96\n 0  0      0 811200   0   24  2  1 97\n 2  1    128 790000   4  400 25  5 65\n'

  it.each([
    ['once', GROUPS + NAMES + ROWS, 3],
    ['without the groups', NAMES + ROWS, 3],
  ])('are the header: %s', async (_, text, count) => {
    const { types, rows, rejectedCount } = await columnsOf(text)
    expect(Object.entries(types)).toEqual(
      ['r', 'b', 'swpd', 'free', 'si', 'so', 'us', 'sy', 'id'].map((name) => [name, 'INTEGER']),
    )
    expect([rows, rejectedCount]).toEqual([count, 0])
  })

  it('are proposed to be left out where they’re repeated', async () => {
    const { types, rows, proposals } = await columnsOf((GROUPS + NAMES + ROWS).repeat(3))
    expect([Object.keys(types).length, rows]).toEqual([9, 13])
    expect(proposals.map(({ code }) => code)).toContain('repeated-headers')
  })
})

it('A header that begins with a time is repeated with another (sar)', async () => {
  const part = (time: string, first: number): string =>
    `${time}:01 AM     CPU     %user     %idle\n${[0, 1, 2].map((i) => `${time}:1${i} AM     all      1.2${first + i}     98.3${i}\n`).join('')}\n`
  const text = `Linux 5.4.0 (host)\t08/01/2020\n\n${part('12:00', 1)}${part('12:30', 4)}`
  const { proposals } = await columnsOf(text)
  expect(proposals.map(({ label }) => label)).toEqual(['Apply: leave out 1 repeated header'])
  const { types, rows } = await columnsOf(text, { repeatedHeaders: 'leave-out' })
  expect([Object.values(types), rows]).toEqual([['TIME', 'VARCHAR', 'VARCHAR', 'DECIMAL(3,2)', 'DECIMAL(4,2)'], 6])
})

it('A row of a size isn’t the header of sizes (du)', async () => {
  const { types, rows } = await columnsOf('4.0K\t./a\n12M\t./b\n1.5G\t./c\n512\t./d\n')
  expect([Object.keys(types), rows]).toEqual([['column_1', 'column_2'], 4])
  expect(Object.keys((await columnsOf('name\t2B\t3B\nAnn\t12\t1\nBob\t7\t2\n')).types)).toEqual(['name', '2B', '3B'])
})

it('The last name may have two words, above values that are shorter (df)', async () => {
  const { types, rows } = await columnsOf(
    'Filesystem      Size  Used Avail Use% Mounted on\nudev            7.8G     0  7.8G   0% /dev\ntmpfs           1.6G  2.1M  1.6G   1% /run\n/dev/sda1       458G  123G  312G  29% /\n',
  )
  expect([Object.keys(types), rows]).toEqual([['Filesystem', 'Size', 'Used', 'Avail', 'Use%', 'Mounted on'], 3])
})

it('Names between doubled delimiters, as wikis write them, are above their columns', async () => {
  const { types, rows, rejectedCount } = await columnsOf('||Name||Amount||\n|Ann|1|\n|Bee|2|\n|Cid|3|\n')
  expect(types).toMatchObject({ Name: 'VARCHAR', Amount: 'INTEGER' })
  expect([rows, rejectedCount]).toEqual([3, 0])
})

describe('A second row of units, and of values for the whole table (Rigol),', () => {
  const NAMES = 'X,CH1,CH2,Start,Increment,\n'
  const ROWS = '0,1.20e-01,2.40e-01,,,\n1,1.24e-01,2.41e-01,,,\n2,1.30e-01,2.38e-01,,,\n'

  it('is proposed to be part of the names', async () => {
    const text = `${NAMES}Sequence,Volt,Volt,-6.000000e-03,1.000000e-05,\n${ROWS}`
    const { rows, proposals } = await columnsOf(text)
    expect(rows).toBe(4)
    expect(proposals).toMatchObject([{ code: 'header-rows', ambiguous: true }])
    const { types } = await columnsOf(text, { header: true, headerRows: 2 })
    expect(types).toMatchObject({ 'X Sequence': 'INTEGER', 'CH1 Volt': 'DOUBLE', 'Start -6.000000e-03': 'VARCHAR' })
  })

  it.each([
    ['values that aren’t there', `${NAMES}n/a,n/a,n/a,1,2,\n${ROWS}`],
    ['a row of words and numbers', 'name,a,b,c\nx,y,5,6\nz,1,2,3\nu,1,2,3\nv,1,2,3\n'],
    ['a value that comes again', `${NAMES}Sequence,Volt,Volt,1,2,\n${ROWS}3,0.1,0.2,1,,\n`],
  ])('but not %s', async (_, text) => {
    expect((await columnsOf(text)).proposals.filter(({ code }) => code === 'header-rows')).toEqual([])
  })
})
