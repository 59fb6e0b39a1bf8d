import { expect, test } from 'vitest'
import { column, inspection, table } from '../../../tables/testing.ts'
import { answerFile, answerPlan } from './answer-file.ts'

test('an answer as a file distinguishes null from empty, and keeps every character', async () => {
  const rows = [
    { id: '9007199254740993', text: 'a "b", c\nd', list: [1, null], on: true },
    { id: null, text: '', list: null, on: false },
  ]
  const file = answerFile({ columns: ['id', 'text', 'list', 'on'], rows, count: 2, execution_time: '1ms' }, 'a.csv')
  expect(await file.text()).toBe(
    '"id","text","list","on"\n"9007199254740993","a ""b"", c\nd","[1,null]","true"\n,"",,"false"\n',
  )
})

test('columns of an answer get the table’s types, and types that can’t be read from text stay text', () => {
  const found = inspection(table([column('a', 'BIGINT'), column('b'), column('c')]))
  const schema = [
    { name: 'a', type: 'HUGEINT' },
    { name: 'b', type: 'DECIMAL(18,3)' },
    { name: 'c', type: 'STRUCT(x INTEGER)' },
  ]
  expect(answerPlan(found, schema).tables[0]?.columns.map(({ type }) => type)).toEqual([
    'HUGEINT',
    'DECIMAL(18,3)',
    'VARCHAR',
  ])
})
