import { util } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../../lib/bytes.ts'
import { isNested, parseType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { makeColumnBuilder } from '../builder.ts'
import { makeCellText } from '../../arrow/text.ts'
import { toArrowType } from '../../arrow/types.ts'
import { isNull } from '../../arrow/scalars.ts'

const { compareTypes } = util
const encoder = new TextEncoder()

function builderOf(type: string): ColumnBuilder {
  const parsed = parseType(type)
  if (!isNested(parsed)) throw new Error(`${type} isn't nested`)
  return makeColumnBuilder(parsed)
}

function append(builder: ColumnBuilder, text: string): boolean {
  const bytes = encoder.encode(text)
  return builder.appendText(bytes, 0, bytes.length)
}

function finish(builder: ColumnBuilder): (string | null)[] {
  const data = builder.finish()
  expect(compareTypes(data.type, toArrowType(builder.type))).toBe(true)
  const cell = makeCellText(builder.type, data)
  return Array.from({ length: data.length }, (_, row) => {
    if (isNull(data, row)) return null
    const out = new ByteWriter()
    cell(out, row)
    return new TextDecoder().decode(out.view())
  })
}

describe('nested builders', () => {
  it.each([
    ['INTEGER[]', ' [ 1 , null,-2 ] ', '[1,null,-2]'],
    ['INTEGER[]', '[]', '[]'],
    ['INTEGER[][]', '[[1],[],null,[2,3]]', '[[1],[],null,[2,3]]'],
    ['HUGEINT[]', '[99999999999999999999999999999999999999]', '[99999999999999999999999999999999999999]'],
    [
      'VARCHAR[]',
      '["a\\u00e9\\n",1.10,true,{"x" : [1, 2]},"null"]',
      '["aé\\n","1.10","true","{\\"x\\":[1,2]}","null"]',
    ],
    ['DATE[]', '["2024-02-29"]', '["2024-02-29"]'],
    ['STRUCT(a INTEGER, b VARCHAR)', '{"a":1,"b":"x"}', '{"a":1,"b":"x"}'],
    ['STRUCT(a INTEGER, b VARCHAR)', '{"b":"x"}', '{"a":null,"b":"x"}'],
    ['STRUCT(a INTEGER, b VARCHAR)', '{ "b" : "x" , "\\u0061" : 1 }', '{"a":1,"b":"x"}'],
    ['STRUCT(a INTEGER, b VARCHAR)', '{"a":1,"b":"x","a":2}', '{"a":2,"b":"x"}'],
    ['STRUCT(a INTEGER, b VARCHAR)', '{}', '{"a":null,"b":null}'],
    ['STRUCT(a STRUCT(b INTEGER[])[])', '{"a":[{"b":[1]},null,{}]}', '{"a":[{"b":[1]},null,{"b":null}]}'],
    ['STRUCT("__proto__" INTEGER, "" INTEGER)', '{"":1,"__proto__":2}', '{"__proto__":2,"":1}'],
    ['MAP(VARCHAR, INTEGER)', '{"a":1,"\\u0062":null}', '{"a":1,"b":null}'],
    ['MAP(VARCHAR, INTEGER)', '[{"key":"a","value":1},{"key":"b"}]', '{"a":1,"b":null}'],
    ['MAP(INTEGER, DATE)', '[{"value":"2024-01-01","key":7}]', '[{"key":7,"value":"2024-01-01"}]'],
    ['MAP(INTEGER, DATE)', '{"7":"2024-01-01"}', '[{"key":7,"value":"2024-01-01"}]'],
    ['MAP(STRUCT(a INTEGER), BOOLEAN)', '[{"key":{"a":1},"value":true}]', '[{"key":{"a":1},"value":true}]'],
    ['MAP(VARCHAR, MAP(VARCHAR, INTEGER))', '{"a":{"b":1},"c":{}}', '{"a":{"b":1},"c":{}}'],
  ])('%s reads %s', (type, text, canonical) => {
    const builder = builderOf(type)
    expect(append(builder, text)).toBe(true)
    expect(finish(builder)).toEqual([canonical])
    expect(append(builder, canonical)).toBe(true)
    expect(finish(builder)).toEqual([canonical])
  })

  it.each([
    [
      'INTEGER[]',
      ['', ' ', 'null', '1', '"[1]"', '[1', '[1,]', '[1] 2', '[1.5]', '["x"]', '[[1]]', '{"a":1}', '[2147483648]'],
    ],
    ['VARCHAR[]', ['["\\ud800"]', '["a\tb"]', '["a]', "['a']"]],
    [
      'STRUCT(a INTEGER, b INTEGER[])',
      ['[]', '{"a":1,"c":2}', '{"c":null}', '{"a":"x"}', '{"b":[1,"x"],"a":1}', '{"b":[1],"a":{}}'],
    ],
    [
      'MAP(VARCHAR, INTEGER)',
      [
        '[1]',
        '[{}]',
        '[{"key":null,"value":1}]',
        '[{"value":1}]',
        '[{"key":"a","key":"b"}]',
        '[{"key":"a","x":1}]',
        '{"a":"x"}',
      ],
    ],
    ['MAP(STRUCT(a INTEGER), INTEGER)', ['{"a":1}']],
    ['MAP(INTEGER, INTEGER)', ['{"a":1}']],
  ])('%s refuses and stays as it was', (type, texts) => {
    const builder = builderOf(type)
    const good = type.startsWith('MAP') ? '[]' : type.startsWith('STRUCT') ? '{"b":[7],"a":1}' : '[]'
    expect(append(builder, good)).toBe(true)
    for (const text of texts) {
      expect([text, append(builder, text)]).toEqual([text, false])
      expect(builder.length).toBe(1)
    }
    builder.appendNull()
    expect(append(builder, good)).toBe(true)
    const [first, second, third] = finish(builder)
    expect([second, third]).toEqual([null, first])
  })

  it('reads no further than the end it is given', () => {
    const builder = builderOf('VARCHAR[]')
    const bytes = encoder.encode('["a","b"],["c"]')
    expect(builder.appendText(bytes, 0, 9)).toBe(true)
    expect(builder.appendText(bytes, 0, 8)).toBe(false)
    expect(builder.appendText(bytes, 0, 6)).toBe(false)
    expect(builder.appendText(bytes, 10, 15)).toBe(true)
    expect(finish(builder)).toEqual(['["a","b"]', '["c"]'])
  })

  it('takes back rows, with all that is in them', () => {
    const builder = builderOf('STRUCT(l INTEGER[], m MAP(VARCHAR, VARCHAR))')
    const row = (n: number): string => `{"l":[${n},${n}],"m":{"k":"v${n}"}}`
    for (let i = 0; i < 5; i++) append(builder, row(i))
    builder.appendNull()
    builder.truncate(2)
    append(builder, row(9))
    expect(finish(builder)).toEqual([row(0), row(1), row(9)])
  })

  it('begins again after it has finished', () => {
    const builder = builderOf('INTEGER[]')
    const rows = Array.from({ length: 3000 }, (_, i) => (i % 7 === 0 ? null : `[${i},${i + 1}]`))
    for (let round = 0; round < 2; round++) {
      for (const row of rows) {
        if (row === null) builder.appendNull()
        else append(builder, row)
      }
      expect(finish(builder)).toEqual(rows)
    }
  })
})
