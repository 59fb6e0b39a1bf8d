import { describe, expect, test } from 'vitest'
import { bench, benchOf, issuesOf, type Bench } from '../../testing/service.ts'

const MISSING = '01HZZZZZZZZZZZZZZZZZZZZZZZ'

describe('the list', () => {
  const list = (b: Bench, query = '', workspaceId = b.workspace.id) =>
    b.call('listDatasets', { params: { workspaceId }, query })

  test('is newest first, with tags and without tables', async () => {
    const b = await bench()
    for (const name of ['first', 'second', 'third']) {
      await b.dataset(name)
      b.ports.clock.advance(1)
    }
    const { data } = await list(b)
    const datasets = data['datasets'] as { name: string }[]
    expect(data['count']).toBe(3)
    expect(datasets.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
    expect(Object.keys(datasets[0] ?? {}).sort()).toEqual([
      'created_at',
      'id',
      'name',
      'tags',
      'visibility',
      'workspace_id',
    ])
  })

  test('keeps its order when a dataset changes', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('first')
    b.ports.clock.advance(1)
    await b.dataset('second')
    b.ports.clock.advance(1)
    await b.call('updateDataset', { params: { datasetId: dataset.id }, body: { tags: ['x'] } })
    const { data } = await list(b)
    expect((data['datasets'] as { name: string }[]).map(({ name }) => name)).toEqual(['second', 'first'])
  })

  test('has each dataset’s tables with expand=tables', async () => {
    const b = await bench()
    await b.dataset('D', { tables: { a: 'x\n1\n', b: 'y,z\n1,2\n3,4\n' } })
    const { data } = await list(b, '?expand=tables')
    expect(data['datasets']).toMatchObject([
      {
        tables: [
          { name: 'a', row_count: 1, schema: [{ name: 'x', type: expect.stringMatching(/^(?:BIGINT|INTEGER)$/) }] },
          { name: 'b', row_count: 2 },
        ],
      },
    ])
  })

  test.each(['?expand=rows', '?expand=', '?expand=tables,rows', '?expand=tables&expand=rows', '?expand=TABLES'])(
    'refuses %s',
    async (query) => {
      const b = await bench()
      const answer = await list(b, query)
      expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(issuesOf(answer)[0]).toMatch(/^expand: /)
    },
  )

  test('ignores unknown parameters', async () => {
    expect((await list(await bench(), '?page=2&__proto__=x')).status).toBe(200)
  })

  test('of another workspace has its public datasets', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    await other.dataset('closed')
    const { dataset } = await other.dataset('open', { visibility: 'public' })
    const { data } = await list(b, '', other.workspace.id)
    expect(data).toMatchObject({ count: 1, datasets: [{ id: dataset.id, workspace_id: other.workspace.id }] })
    expect((await list(b)).data['count']).toBe(0)
  })

  test.each([crypto.randomUUID(), 'x', '__proto__', '%00'])('of an unknown workspace (%s) is a 404', async (id) => {
    expect((await list(await bench(), '', id)).status).toBe(404)
  })

  test('has only datasets that the key may read', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('one')
    await b.dataset('two')
    const key = await b.addKey(b.workspace, [`datasets:${dataset.id}:read`])
    const { data } = await b.caller(key)('listDatasets', { params: { workspaceId: b.workspace.id } })
    expect(data).toMatchObject({ count: 1, datasets: [{ id: dataset.id }] })
  })

  test('is the caller’s, whoever asked before', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    const { dataset } = await b.dataset('one')
    // If they were created in the same millisecond, their ids would determine the order.
    b.ports.clock.advance(1)
    await b.dataset('two', { visibility: 'public' })
    const key = await b.addKey(b.workspace, [`datasets:${dataset.id}:read`])
    const narrow = b.caller(key)
    const counts = async (query = ''): Promise<unknown[]> => {
      const request = { params: { workspaceId: b.workspace.id }, query }
      const answers = [await b.call('listDatasets', request), await narrow('listDatasets', request)]
      return [...answers, await other.call('listDatasets', request)].map(({ data }) => data['count'])
    }
    const answers = [await counts(), await counts(), await counts('?expand=tables'), await counts()]
    expect(answers).toEqual(Array.from({ length: 4 }, () => [2, 2, 1]))
    const [row] = (await list(b, '?expand=tables')).data['datasets'] as object[]
    expect(row).toHaveProperty('tables')
    expect(((await list(b)).data['datasets'] as object[])[0]).not.toHaveProperty('tables')
  })
})

describe('changing a dataset', () => {
  const update = (b: Bench, datasetId: string, body: unknown) =>
    b.call('updateDataset', { params: { datasetId }, body })

  test('changes only what the body contains, and `updated_at`', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const before = await b.details(dataset.id)
    b.ports.clock.advance(1000)
    const { status, data } = await update(b, dataset.id, {
      name: ' E ',
      short_description: 'Things',
      visibility: 'public',
      tags: ['b', 'a', 'b'],
    })
    expect(status).toBe(200)
    expect(data['dataset']).toEqual({
      ...before,
      name: 'E',
      description: 'Things',
      visibility: 'public',
      tags: ['b', 'a'],
      updated_at: new Date(b.ports.clock.now()).toISOString(),
    })
    expect(await b.details(dataset.id)).toEqual(data['dataset'])
    const last = await update(b, dataset.id, { description: '' })
    expect(last.data['dataset']).toMatchObject({ name: 'E', description: '', tags: ['b', 'a'] })
  })

  test('accepts both spellings of the description if they agree', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const same = await update(b, dataset.id, { description: 'x', short_description: 'x' })
    expect(same.data['dataset']).toMatchObject({ description: 'x' })
    const other = await update(b, dataset.id, { description: 'x', short_description: 'y' })
    expect(issuesOf(other)).toHaveLength(1)
  })

  test('with an empty body leaves it as it is', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const before = await b.details(dataset.id)
    b.ports.clock.advance(1000)
    for (const body of [{}, { unknown: 1, dataset_name: 'E' }]) {
      const { status, data } = await update(b, dataset.id, body)
      expect([status, data['dataset']]).toEqual([200, before])
    }
  })

  test('never sets `updated_at` back, even if the clock was', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    b.ports.clock.advance(-60_000)
    const { data } = await update(b, dataset.id, { tags: [] })
    expect(data['dataset']).toMatchObject({ updated_at: dataset.created_at })
  })

  test('to another dataset’s name is a conflict, but not to its own name in another case', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('one')
    await b.dataset('two')
    const taken = await update(b, dataset.id, { name: 'TWO', tags: ['x'] })
    expect([taken.status, taken.error?.code]).toEqual([409, 'CONFLICT'])
    expect(await b.details(dataset.id)).toMatchObject({ name: 'one', tags: [] })
    expect((await update(b, dataset.id, { name: 'ONE' })).status).toBe(200)
  })

  test('takes effect in queries at once', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('one')
    await update(b, dataset.id, { name: 'other one' })
    expect((await b.call('query', { body: { sql: 'FROM work."other one".t' } })).status).toBe(200)
    expect((await b.call('query', { body: { sql: 'FROM work.one.t' } })).status).toBe(404)
  })

  test('is allowed for keys that may write but not read it', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const call = b.caller(await b.addKey(b.workspace, [`datasets:${dataset.id}:write`]))
    const params = { datasetId: dataset.id }
    expect((await call('getDataset', { params })).status).toBe(404)
    expect((await call('updateDataset', { params, body: { name: 'E' } })).status).toBe(200)
    expect((await call('deleteDataset', { params })).status).toBe(200)
  })
})

describe('deleting a dataset', () => {
  test('removes its rows and files, and frees its name', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const params = { datasetId: dataset.id }
    expect((await b.call('query', { body: { sql: 'FROM work.D.t' } })).status).toBe(200)
    const { data } = await b.call('deleteDataset', { params })
    expect(data).toEqual({ id: dataset.id, deleted: true })
    expect(b.ports.tables.files.size).toBe(0)
    expect((await b.call('query', { body: { sql: 'FROM work.D.t' } })).status).toBe(404)
    expect((await b.call('getDataset', { params })).status).toBe(404)
    expect((await b.call('deleteDataset', { params })).status).toBe(404)
    expect((await b.dataset('d')).dataset.id).not.toBe(dataset.id)
  })

  test('that doesn’t exist is a 404', async () => {
    const b = await bench()
    for (const datasetId of [MISSING, 'x', '..', '*', '__proto__']) {
      expect((await b.call('deleteDataset', { params: { datasetId } })).status).toBe(404)
    }
  })
})
