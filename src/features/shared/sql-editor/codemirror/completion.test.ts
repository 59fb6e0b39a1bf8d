import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { describe, expect, test, vi } from 'vitest'
import type { SqlSession } from '../../../../engine/client.ts'
import { createCatalog, createWords } from '../../../../lib/duckdb-sql/index.ts'
import type { AskValues } from '../handle.ts'
import { complete, completeValues } from './completion.ts'
import { ColumnValues, editorData, NO_DATA, type EditorData, DescribedQueries } from './data.ts'
import { boundaries, currentStatement } from './statements.ts'
import { processorTime } from '../../../../lib/testing.ts'

/** `|` marks the cursor. */
function at(marked: string, data: Partial<EditorData> = {}) {
  return complete(contextOf(marked, data))
}

function contextOf(marked: string, data: Partial<EditorData>): CompletionContext {
  const state = EditorState.create({
    doc: marked.replace('|', ''),
    extensions: [boundaries, currentStatement, editorData.of({ ...NO_DATA, ...data })],
  })
  return new CompletionContext(state, marked.indexOf('|'), false)
}

const columns = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `column_${n}`, type: 'BIGINT' }))

const wide = createCatalog({
  workspaces: [
    {
      name: 'ws',
      datasets: Array.from({ length: 50 }, (_, d) => ({
        id: `${d}`,
        name: `dataset ${d}`,
        tables: Array.from({ length: 20 }, (__, t) => ({
          name: `table_${t}`,
          rowCount: 1,
          reference: `ws."dataset ${d}".table_${t}`,
          columns: columns(t === 0 ? 10_000 : 20),
        })),
      })),
    },
  ],
  local: [],
  temporary: [],
})
const functions = Array.from({ length: 1000 }, (_, n) => ({
  name: `function_${n}`,
  kind: 'scalar' as const,
  signatures: ['(a BIGINT) → BIGINT'],
  description: '',
}))

describe('completion', () => {
  test('replaces the existing part of a name with its quotes', () => {
    expect(at('select 1; select * from ord|')?.from).toBe(24)
    expect(at('select * from "Sal|"')?.from).toBe(15)
    expect(at('select * from ws.|')?.from).toBe(17)
  })

  test('opens automatically where a name is expected, and nowhere else', () => {
    expect(at('select |')).toBeNull()
    expect(at('select * from |')).not.toBeNull()
    expect(at("select 'ab|")).toBeNull()
    expect(at('select a as b|')).toBeNull()
  })

  test('writes keywords in the statement’s case', () => {
    const labels = (marked: string) =>
      at(marked)
        ?.options.filter(({ type }) => type === 'keyword')
        .map(({ label, displayLabel }) => displayLabel ?? label)
    expect(labels('sel|')).toContain('SELECT')
    expect(labels('select a fr|')).toContain('from')
    expect(labels('SELECT a fr|')).toContain('FROM')
  })

  test.each([
    ["from '|'", 'more codes.csv', "from 'more codes.csv'"],
    ["from '|' where a", 'more codes.csv', "from 'more codes.csv' where a"],
    ['from "|"', 'more_codes', 'from local.more_codes'],
    ["from local.more_codes where code = '|'", 'moon', "from local.more_codes where code = 'moon'"],
  ])('replaces the closing quote, even after typing while the list is shown: %s', async (marked, label, text) => {
    const data = {
      catalog: createCatalog({
        workspaces: [],
        local: [
          {
            id: '1',
            name: 'more_codes',
            rowCount: 1,
            reference: 'local.more_codes',
            columns: [{ name: 'code', type: 'VARCHAR' }],
            file: 'more codes.csv',
          },
        ],
        temporary: [],
      }),
      values: new ColumnValues(() => Promise.resolve([{ text: 'moon', count: 2 }])).of,
    }
    const context = contextOf(marked, data)
    const found = complete(context) ?? (await completeValues(context))
    const option = found?.options.find((one) => one.label === label)
    if (!found || typeof option?.apply !== 'function') throw new Error(`${label} isn’t offered`)
    const { pos, state } = context
    const typed = state.update({ changes: { from: pos, insert: 'mo' }, selection: { anchor: pos + 2 } })
    let written = ''
    const dispatch = (change: TransactionSpec): void => {
      written = typed.state.update(change).newDoc.toString()
    }
    option.apply({ state: typed.state, dispatch } as unknown as EditorView, option, found.from, pos + 2)
    expect(written).toBe(text)
  })

  test('keeps its list while typing continues, unless more is or was to be known', () => {
    const local = [{ id: '1', name: 'o', rowCount: 1, reference: 'local.o', columns: columns(2) }]
    const all = { ...NO_DATA, catalog: createCatalog({ workspaces: [], local, temporary: [] }) }
    const described = { ...all, described: () => [{ name: 'old', type: 'DATE' }] }
    const stays = (marked: string, data: EditorData, later: EditorData): unknown => {
      const pos = marked.indexOf('|')
      const state = (text: string, given: EditorData) =>
        EditorState.create({
          doc: marked.replace('|', text),
          extensions: [boundaries, currentStatement, editorData.of(given)],
        })
      const found = complete(new CompletionContext(state('', data), pos, true))
      if (typeof found?.validFor !== 'function') throw new Error('nothing is offered')
      return found.validFor('oo', pos - 1, pos + 1, state('o', later))
    }
    expect(stays('from o|', all, all)).toBe(true)
    // A table was added.
    expect(stays('from o|', NO_DATA, all)).toBe(false)
    // The engine hasn't described this yet.
    expect(stays('select q.o| from (pivot t on x) q', described, described)).toBe(true)
    expect(stays('select q.o| from (pivot t on x) q', all, all)).toBe(false)
  })

  test('compares names without regard to case, and to accents that weren’t typed', () => {
    const local = [
      {
        id: '1',
        name: 'o',
        rowCount: 1,
        reference: 'local.o',
        columns: [
          { name: 'Straße', type: 'VARCHAR' },
          { name: 'Übergabe', type: 'DATE' },
        ],
      },
    ]
    const data = { catalog: createCatalog({ workspaces: [], local, temporary: [] }) }
    const compared = (typed: string) =>
      at(`select ${typed}| from local.o`, data)
        ?.options.filter(({ type }) => type === 'column')
        .map(({ label, displayLabel }) => [label, displayLabel])
    expect(compared('stras')).toEqual([['strasse', 'Straße']])
    expect(compared('STRA')).toEqual([['STRASSE', 'Straße']])
    expect(compared('straß')).toEqual([['straße', 'Straße']])
    expect(compared('Stra')).toEqual([['Straße', undefined]])
    expect(compared('uber')).toEqual([['ubergabe', 'Übergabe']])
    // What is typed next may need other letters to be compared with.
    const context = contextOf('select s| from local.o', data)
    const validFor = complete(context)?.validFor
    const { state } = context
    expect(typeof validFor === 'function' && [validFor('st', 0, 0, state), validFor('sT', 0, 0, state)]).toEqual([
      true,
      false,
    ])
  })

  test('is immediate with 10,000 columns in scope and 1,000 tables', () => {
    const data = { catalog: wide, words: createWords({ keywords: [], types: [], functions }) }
    const times = Array.from({ length: 20 }, (_, n) => {
      const start = processorTime()
      expect(
        at(`select ${'x'.repeat(n)}| from ws."dataset 1".table_0 a`, data)?.options.length ?? 0,
      ).toBeGreaterThanOrEqual(0)
      at(`select c| from ws."dataset 1".table_0 a`, data)
      return processorTime() - start
    }).sort((a, b) => a - b)
    // Two lists. The limit is far above the usual time, for slow machines.
    expect(times[10]).toBeLessThan(200)
    console.info(
      `two lists of ${at('select c| from ws."dataset 1".table_0 a', data)?.options.length} names: ${times[10]?.toFixed(1)} ms`,
    )
  })
})

describe('queries that the engine describes', () => {
  const session = (describeQuery: SqlSession['describe']) => ({ describe: describeQuery }) as SqlSession

  test('are requested once, and known the next time', async () => {
    const ask = vi.fn<SqlSession['describe']>().mockResolvedValue([{ name: 'a', type: 'DATE' }])
    const queries = new DescribedQueries(session(ask))
    expect(queries.columns('select 1')).toBeUndefined()
    await vi.waitFor(() => expect(queries.columns('select 1')).toEqual([{ name: 'a', type: 'DATE' }]))
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('aren’t needed if it can’t tell', async () => {
    const ask = vi.fn<SqlSession['describe']>().mockRejectedValueOnce(new Error('no')).mockResolvedValue(null)
    const queries = new DescribedQueries(session(ask))
    queries.columns('select 1')
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1))
    expect(queries.columns('select 1')).toBeUndefined()
    queries.columns('select 2')
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2))
    expect(queries.columns('select 2')).toBeUndefined()
  })

  test('stop when the schema changes: the signal reaches the engine', async () => {
    let signal: AbortSignal | undefined
    const ask: SqlSession['describe'] = (_, options) => {
      signal = options?.signal
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal?.reason)))
    }
    const queries = new DescribedQueries(session(ask))
    queries.columns('select 1')
    queries.stop()
    expect(signal?.aborted).toBe(true)
  })
})

describe('values', () => {
  const orders = (rowCount: number | null) =>
    createCatalog({
      workspaces: [],
      local: [{ id: '1', name: 'o', rowCount, reference: 'local.o', columns: [{ name: 'region', type: 'VARCHAR' }] }],
      temporary: [],
    })
  const found = [
    { text: 'north', count: 1200 },
    { text: "it's", count: 3 },
    { text: 'a'.repeat(300), count: 2 },
  ]

  test('are offered by frequency, without those already there', async () => {
    const ask = vi.fn<AskValues>().mockResolvedValue(found)
    const data = { catalog: orders(9), values: new ColumnValues(ask).of }
    const listed = async (marked: string) =>
      (await completeValues(contextOf(marked, data)))?.options.map(({ displayLabel, detail }) => [displayLabel, detail])
    expect(await listed('select 1; from local.o where region = |')).toEqual([
      ['north', '1,200'],
      ["it's", '3'],
    ])
    expect(await listed("from local.o where region in ('north', '|')")).toEqual([["it's", '3']])
    expect(await completeValues(contextOf('from local.o where |', data))).toBeNull()
    expect((await completeValues(contextOf("from local.o where region = 'n|'", data)))?.from).toBe(29)
    // Once for each column.
    expect(ask).toHaveBeenCalledTimes(1)
    // Of a longer table, only the first rows are counted.
    const counted = vi.fn<AskValues>().mockResolvedValue([{ text: 'north', count: 1200, partial: true }])
    const longer = { catalog: orders(200_000), values: new ColumnValues(counted).of }
    const [north] = (await completeValues(contextOf('from local.o where region = |', longer)))?.options ?? []
    expect(north?.detail).toBe('1,200+')
  })

  test('are found by what is typed, with quotes doubled', async () => {
    const data = { catalog: orders(9), values: new ColumnValues(vi.fn<AskValues>().mockResolvedValue(found)).of }
    const labels = async (marked: string) =>
      (await completeValues(contextOf(marked, data)))?.options.map(({ label }) => label)
    expect(await labels("from local.o where region between 'it''|")).toEqual(['north', "it''s"])
    expect(await labels("from local.o where region between 'a' and |")).toEqual(['north', "it's"])
    const result = await completeValues(contextOf("from local.o where region = 'it|", data))
    const { validFor } = result ?? {}
    expect(validFor instanceof RegExp && ["it''s", "it's"].map((text) => validFor.test(text))).toEqual([true, false])
  })

  test('replace all of a text that contains a quote', async () => {
    const data = { catalog: orders(9), values: new ColumnValues(vi.fn<AskValues>().mockResolvedValue(found)).of }
    const context = contextOf("from local.o where region = 'i|t''x' and true", data)
    const result = await completeValues(context)
    const [picked] = result?.options ?? []
    let { state } = context
    const view = {
      state,
      dispatch: (spec: TransactionSpec) => {
        state = state.update(spec).state
      },
    } as unknown as EditorView
    if (typeof picked?.apply === 'function') picked.apply(view, picked, result?.from ?? 0, context.pos)
    expect(state.doc.toString()).toBe("from local.o where region = 'north' and true")
  })

  test('appear while typing continues, even if the engine was busy at first', async () => {
    const ask = vi.fn<AskValues>().mockResolvedValueOnce(null).mockResolvedValue(found)
    const data = { catalog: orders(9), values: new ColumnValues(ask).of }
    // No list at all, since an empty one would stay.
    expect(await completeValues(contextOf("from local.o where region = '|'", data))).toBeNull()
    expect((await completeValues(contextOf("from local.o where region = 'n|'", data)))?.options).toHaveLength(2)
  })

  test('aren’t requested if that’s expensive; unanswered requests are repeated', async () => {
    const ask = vi.fn<AskValues>().mockResolvedValueOnce(null)
    ask.mockRejectedValueOnce(new DOMException('', 'AbortError')).mockRejectedValueOnce(new Error('no such table'))
    ask.mockResolvedValue(found)
    const values = new ColumnValues(ask)
    const origin = { source: 'local.o', column: 'region', isKey: false, type: 'VARCHAR', rowCount: 9 }
    expect(values.of({ ...origin, rowCount: 1e9 })).toBeNull()
    for (let i = 0; i < 5; i++) expect(await values.of(origin)).toEqual([])
    expect(ask).toHaveBeenCalledTimes(3)
  })

  test('stop being requested with the editor: the signal reaches the engine', async () => {
    let signal: AbortSignal | undefined
    const values = new ColumnValues((_, given) => {
      signal = given
      return Promise.resolve(found)
    })
    await values.of({ source: 'local.o', column: 'region', isKey: false, type: 'VARCHAR', rowCount: null })
    values.stop()
    expect(signal?.aborted).toBe(true)
  })
})
