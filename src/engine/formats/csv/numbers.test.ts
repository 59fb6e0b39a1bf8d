import { describe, expect, test } from 'vitest'
import { planFrom } from '../../../tables/plan.ts'
import type { CsvSettings, NumberStyle } from '../../../tables/settings.ts'
import { inspect, readAll } from './testing.ts'

const FILE = 'a;b\n1.234;1,234\n5.678;5,678\n'

describe('how numbers look, as the person says', () => {
  test.each<[NumberStyle, string[], string[]]>([
    ['1,234.56', ['DECIMAL(4,3)', 'INTEGER'], ['1.234', '1234']],
    ['1.234,56', ['INTEGER', 'DECIMAL(4,3)'], ['1234', '1.234']],
  ])('%s', async (numbers, types, first) => {
    const inspection = await inspect(FILE, { numbers })
    expect(inspection.settings).toMatchObject({ numbers })
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual(types)
    expect((await readAll(FILE, inspection)).rows[0]).toEqual(first)
    // What is found so is read so again, by settings that are complete.
    const again = await inspect(FILE, inspection.settings as CsvSettings)
    expect(planFrom(again)).toEqual(planFrom(inspection))
  })

  test('unsaid, where both marks fit, it’s asked', async () => {
    const { tables, settings } = await inspect(FILE)
    expect(settings).not.toHaveProperty('numbers')
    expect(tables[0].columns.map(({ type }) => type)).toEqual(['VARCHAR', 'VARCHAR'])
  })
})
