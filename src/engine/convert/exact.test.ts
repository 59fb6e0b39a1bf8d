import {
  DateMillisecond,
  Field,
  Float64,
  List,
  makeData,
  Table,
  tableToIPC,
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { TARGET_FORMATS } from '../../contract/formats.ts'
import { defaultOptions, type ImportPlan } from '../../tables/plan.ts'
import { convert } from '../testing/run.ts'

/* Values that a conversion might change silently. */

const IDS = TARGET_FORMATS.map(({ id }) => id)
const MARK = '\ufeff'

function arrowFile(columns: Record<string, Vector>): File {
  return new File([tableToIPC(new Table(columns), 'file') as Uint8Array<ArrayBuffer>], 'a.arrow')
}

function asText(plan: ImportPlan): ImportPlan {
  return {
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, type: 'VARCHAR' })),
    })),
  }
}

describe('U+FEFF, which decoders take for a byte order mark', () => {
  const source = `[{"${MARK}id":1,"b":"${MARK}x"},{"${MARK}id":2,"b":"y"}]`

  // Programs that read a byte order mark as part of a CSV file's first name write such keys.
  it.each(IDS)('stays at the beginning of names and values, by way of %s', async (format) => {
    const there = await convert(new File([source], 'a.json'), format)
    const back = await convert(there.files[0], 'json')
    expect(JSON.parse(await back.files[0].text())).toEqual(JSON.parse(source))
  })

  it('is no boolean', async () => {
    const file = new File([`a,b\n${MARK}yes,1\nno,2\n`], 'a.csv')
    const { result } = await convert(file, 'json', defaultOptions('json'), (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) =>
          column.name === 'a'
            ? { ...column, type: 'BOOLEAN', format: { trueValues: ['yes'], falseValues: ['no'] } }
            : column,
        ),
      })),
    }))
    expect(result.rejected.map(({ row, value }) => [row, value])).toEqual([[1, `${MARK}yes`]])
  })
})

describe('NaN and infinities within lists', () => {
  const lists = vectorFromArray(
    [[1, Number.NaN], [Number.NEGATIVE_INFINITY], [2], null],
    new List(new Field('item', new Float64(), true)),
  )

  it.each(['csv', 'tsv', 'json', 'xlsx'] as const)(
    'become null in %s, and the receipt says how many',
    async (format) => {
      const { result } = await convert(arrowFile({ v: lists }), format)
      const { changes, verdict } = result.outputs[0].receipts[0]
      expect(verdict).toBe('match')
      expect(changes).toContainEqual(expect.objectContaining({ code: 'not-a-number-as-null', column: 'v', count: 2 }))
    },
  )

  it('keep their row out of a column that is wanted as text', async () => {
    const { result, files } = await convert(arrowFile({ v: lists }), 'json', defaultOptions('json'), asText)
    expect(JSON.parse(await files[0].text())).toEqual([{ v: '[2.0]' }, { v: null }])
    expect(result.rejected.map(({ row, message }) => [row, message])).toEqual([
      [1, expect.stringContaining('NaN')],
      [2, expect.stringContaining('NaN')],
    ])
  })
})

it('refuses a date in milliseconds that is further away than a date can be', async () => {
  const days = (...values: bigint[]): File => {
    const millis = BigInt64Array.from(values, (day) => day * 86_400_000n)
    return arrowFile({ d: new Vector([makeData({ type: new DateMillisecond(), data: millis as never })]) })
  }
  const { files } = await convert(days(2n ** 31n - 2n, -(2n ** 31n)), 'csv')
  expect(await files[0].text()).toBe('d\n5881580-07-10\n-5877641-06-23\n')
  await expect(convert(days(2n ** 31n), 'csv')).rejects.toMatchObject({
    code: 'unsupported-format',
    place: 'column “d”',
  })
})
