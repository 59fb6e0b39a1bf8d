import { describe, expect, it } from 'vitest'
import type { JsonSettings } from '../../../tables/plan.ts'
import { fileOf, inspect, load, typesOf } from './testing.ts'

const ROWS = [
  ['1', 'x'],
  ['2', null],
]

describe('rows in the answers of services', () => {
  it.each([
    ['GitHub', '{"total_count":2,"incomplete_results":false,"items":[{"a":1,"b":"x"},{"a":2}]}', 'items'],
    ['Jira', '{"startAt":0,"maxResults":50,"total":2,"issues":[{"a":1,"b":"x"},{"a":2}]}', 'issues'],
    ['Slack', '{"ok":true,"members":[{"a":1,"b":"x"},{"a":2}],"response_metadata":{"next_cursor":""}}', 'members'],
    [
      'CKAN',
      '{"help":"u","success":true,"result":{"fields":[{"id":"a"}],"records":[{"a":1,"b":"x"},{"a":2}]}}',
      'result/records',
    ],
    [
      'Solr',
      '{"responseHeader":{"QTime":1},"response":{"numFound":2,"start":0,"docs":[{"a":1,"b":"x"},{"a":2}]}}',
      'response/docs',
    ],
    [
      'Elasticsearch',
      '{"took":1,"timed_out":false,"_shards":{"total":1},"hits":{"total":{"value":2},"max_score":1.0,"hits":[{"a":1,"b":"x"},{"a":2}]}}',
      'hits/hits',
    ],
    ['the World Bank', '[{"page":1,"pages":1,"total":2},[{"a":1,"b":"x"},{"a":2}]]', '[1]'],
    ['Cloudflare', '{"result":{"items":[{"a":1,"b":"x"},{"a":2}]},"success":true,"errors":[]}', 'result/items'],
    ['GraphQL', '{"data":{"users":{"edges":[{"node":{"a":1,"b":"x"}},{"node":{"a":2}}]}}}', 'data/users/edges node'],
    [
      'GraphQL in several',
      '{"data":{"viewer":{"login":"x","repos":{"pageInfo":{"hasNextPage":true},"edges":[{"cursor":"1","node":{"a":1,"b":"x"}},{"cursor":"2","node":{"a":2}}]}},"rateLimit":{"cost":1}}}',
      'data/viewer/repos/edges node',
    ],
    [
      'GraphQL, nodes',
      '{"data":{"viewer":{"repos":{"totalCount":2,"nodes":[{"a":1,"b":"x"},{"a":2}]}}}}',
      'data/viewer/repos/nodes',
    ],
  ])('finds the rows of %s', async (_, text, place) => {
    const { inspection, rows, rejected } = await load(fileOf(text))
    const { path, within = [] } = inspection.settings as JsonSettings
    expect([path.join('/'), ...within].join(' ')).toBe(place)
    expect([rows, rejected]).toEqual([ROWS, []])
    expect(inspection.tables[0]?.notes.map(({ code }) => code)).toEqual(['rows-inside'])
  })

  it('takes an object and a list for an answer only where that is all', async () => {
    const [meta, list] = ['{"page":1}', '[{"a":1,"b":"x"},{"a":2}]']
    for (const text of [`[${meta},${list},{"a":3}]`, `[${meta},[1,2]]`, `[${meta}]`, `[${meta},{"a":1}]`]) {
      const { inspection } = await load(fileOf(text))
      expect(inspection.settings).toMatchObject({ path: [] })
    }
    // The text after the rows is checked, too, and nothing may be missing.
    await expect(load(fileOf(`[${meta},${list}`))).rejects.toMatchObject({ code: 'corrupt-file' })
    await expect(load(fileOf(`[${meta},${list}}`))).rejects.toMatchObject({ code: 'corrupt-file' })
    await expect(load(fileOf(`[${list}]`), { path: ['[1]'] })).rejects.toMatchObject({ code: 'corrupt-file' })
    // A key that looks like an index is still a key.
    const { rows } = await load(fileOf('{"[1]":[{"a":1,"b":"x"},{"a":2}]}'), { path: ['[1]'] })
    expect(rows).toEqual(ROWS)
  })

  it('leaves a record with a list in it whole', async () => {
    for (const text of ['{"id":1,"status":"open","comments":[{"a":1}]}', '{"code":"x","lines":[{"a":1},{"a":2}]}']) {
      const { inspection } = await load(fileOf(text))
      expect(inspection.settings).toMatchObject({ path: [] })
      expect(inspection.tables[0]?.rows).toBe(1)
    }
  })

  it('rejects edges without a node, and says what is beside the nodes', async () => {
    const edges = [
      '{"node":{"a":1},"cursor":"x"}',
      '{"cursor":"y","node":null}',
      '{"cursor":"z"}',
      '{"cursor":"w", "node" : {"a":2}}',
    ]
    const { inspection, rows, rejected } = await load(fileOf(`{"data":{"n":1,"all":{"edges":[${edges.join(',')}]}}}`))
    expect(rows).toEqual([['1'], ['2']])
    expect(rejected.map(({ row, message, raw }) => [row, message, raw])).toEqual([
      [2, 'The row under “node” is null where an object should be.', edges[1]],
      [3, 'The row under “node” is null where an object should be.', edges[2]],
    ])
    expect(inspection.tables[0]?.notes[0]?.message).toBe(
      'The rows are the nodes under “data” → “all” → “edges”. What is beside them (1 value, “cursor” of each node) is left out.',
    )
    expect(
      typesOf(await inspect(fileOf(`{"data":{"all":{"edges":[${edges.join(',')}]}}}`), { kind: 'json', within: [] })),
    ).toEqual(['node STRUCT(a INTEGER)', 'cursor VARCHAR'])
  })

  it('says that the first list is read as names, and where that is a guess', async () => {
    const notes = async (text: string) => (await inspect(fileOf(text))).tables[0]?.notes
    expect(await notes('[["a","b"],["x","y"]]')).toMatchObject([{ code: 'header-guess', doubt: true }])
    expect(await notes('{"values":[["a","b"],["x","y"]]}')).toMatchObject([
      { code: 'rows-inside' },
      { code: 'header-guess', doubt: true },
    ])
    const [sure] = (await notes('[["a","b"],["x",1]]')) ?? []
    expect(sure).toEqual({ code: 'header-guess', message: 'The first list is read as the columns’ names.' })
    expect(await notes('[["1","b"],["x","y"]]')).toEqual([])
  })
})
