import { beforeEach, describe, expect, test } from 'vitest'
import { consoleOperations } from '../../contract/console-operations.ts'
import type { Workspace } from '../../contract/schemas.ts'
import type { StoreName } from '../ports.ts'
import { testApp, type Answer, type TestApp } from '../testing/app.ts'
import { START } from '../testing/ports.ts'
import { dataset, object, table } from '../testing/records.ts'

const NOBODY = crypto.randomUUID()

let app: TestApp
beforeEach(() => {
  app = testApp()
})

const workspaceOf = ({ data }: Answer): Workspace => consoleOperations.createWorkspace.answer.parse(data).workspace
const create = (json: unknown) => app.send('POST /console/v1/workspaces', { json })
const made = async (json: unknown): Promise<Workspace> => workspaceOf(await create(json))
const change = (id: string, json: unknown) => app.send(`PATCH /console/v1/workspaces/${id}`, { json })
const list = async (): Promise<Workspace[]> => {
  const { data } = await app.send('GET /console/v1/workspaces')
  return consoleOperations.listWorkspaces.answer.parse(data).workspaces
}

describe('creating a workspace', () => {
  test('returns it with 201, and the list has it, oldest first', async () => {
    const answer = await create({ name: '  Sales EU  ', plan: 'free' })
    expect(answer.status).toBe(201)
    const first = workspaceOf(answer)
    const created_at = new Date(START).toISOString()
    expect(first).toEqual({ id: first.id, name: 'Sales EU', slug: 'sales_eu', plan: 'free', created_at })
    app.ports.clock.advance(1)
    const second = await made({ name: 'Another', slug: 'a' })
    expect(second).toMatchObject({ slug: 'a', plan: 'business' })
    expect(await list()).toEqual([first, second])
  })

  test.each([
    ['Größe & Gewicht', 'grosse_gewicht'],
    ['Été 2026', 'ete_2026'],
    ['2026', 'workspace_2026'],
    ['数据', 'workspace'],
    ['__x__', 'x'],
    ['a.b-c"d', 'a_b_c_d'],
    ['x'.repeat(128), 'x'.repeat(63)],
    ['System', 'system_2'],
  ])('“%s” gets the slug %s', async (name, slug) => {
    expect((await made({ name })).slug).toBe(slug)
  })

  test('with an existing name gives it another slug', async () => {
    const slugs = []
    for (let i = 0; i < 3; i++) slugs.push((await made({ name: 'y'.repeat(100) })).slug)
    expect(slugs).toEqual(['y'.repeat(63), `${'y'.repeat(61)}_2`, `${'y'.repeat(61)}_3`])
  })

  test('with a slug that is taken is a conflict', async () => {
    await made({ name: 'A', slug: 'same' })
    const { error } = await create({ name: 'B', slug: 'same' })
    expect(error?.code).toBe('CONFLICT')
    expect(error?.message).toContain('same')
    expect(await list()).toHaveLength(1)
  })

  test.each([
    [{}, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ name: 'a\u0007b' }, 'name'],
    [{ name: 1 }, 'name'],
    [{ name: 'A', slug: 'Upper' }, 'slug'],
    [{ name: 'A', slug: '1st' }, 'slug'],
    [{ name: 'A', slug: 'a-b' }, 'slug'],
    [{ name: 'A', slug: '' }, 'slug'],
    [{ name: 'A', slug: 'a'.repeat(64) }, 'slug'],
    [{ name: 'A', slug: 'temp' }, 'slug'],
    [{ name: 'A', plan: 'enterprise' }, 'plan'],
  ])('with %j is refused', async (json, path) => {
    const { error } = await create(json)
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { issues: [{ path }] } })
    expect(await list()).toEqual([])
  })
})

describe('changing a workspace', () => {
  test('changes only what the body contains', async () => {
    const workspace = await made({ name: 'A' })
    for (const json of [{ name: 'B' }, { slug: 'c' }, { plan: 'pro' }, {}]) {
      const before = (await list())[0]
      expect(workspaceOf(await change(workspace.id, json))).toEqual({ ...before, ...json })
      expect(await list()).toEqual([{ ...before, ...json }])
    }
  })

  test('to its own slug is allowed, to another’s a conflict', async () => {
    const [a, b] = [await made({ name: 'A' }), await made({ name: 'B' })]
    expect((await change(a.id, { slug: 'a' })).status).toBe(200)
    expect((await change(a.id, { slug: b.slug })).error?.code).toBe('CONFLICT')
    expect((await change(a.id, { slug: 'memory' })).error?.code).toBe('INVALID_REQUEST')
  })

  test('that doesn’t exist, or to invalid values, is refused', async () => {
    expect((await change(NOBODY, { name: 'B' })).error?.code).toBe('NOT_FOUND')
    expect((await change(NOBODY, { name: '' })).error?.code).toBe('INVALID_REQUEST')
  })
})

test('no change reads a whole store, which may have thousands of records', async () => {
  const [kept, other] = [await app.workspace(), await app.workspace()]
  const { key } = await app.key(kept)
  await app.send('GET /public/v1/convert/formats', { key })
  const { records } = app.ports
  const write = records.write.bind(records)
  const read: StoreName[] = []
  records.write = (stores, work, options) =>
    write(
      stores,
      (transaction) =>
        work({
          ...transaction,
          all(store) {
            read.push(store)
            return transaction.all(store)
          },
        }),
      options,
    )
  expect((await create({ name: 'Third' })).status).toBe(201)
  expect((await create({ name: 'Fourth', slug: 'fourth' })).status).toBe(201)
  expect((await change(kept.id, { slug: 'kept' })).status).toBe(200)
  expect((await app.send(`DELETE /console/v1/workspaces/${other.id}`)).status).toBe(200)
  expect(read).toEqual([])
})

describe('deleting a workspace', () => {
  const put = () => app.ports.objects.put(new Blob(['x']).stream(), { maxBytes: 10 })
  const all = <S extends StoreName>(store: S) =>
    app.ports.records.read([store], (transaction) => transaction.all(store))

  test('removes everything in it, and nothing else', async () => {
    const [gone, kept] = [await app.workspace(), await app.workspace()]
    const [goneKey, keptKey] = [await app.key(gone), await app.key(kept)]
    const [goneBlob, keptBlob] = [await put(), await put()]
    const { signal } = new AbortController()
    const tables = await Promise.all(
      ['c1', 'c2'].map((creationId) =>
        app.ports.tables.ingest(new Blob(['a\n1\n']), { creationId, format: 'csv', filename: 'a.csv' }, signal),
      ),
    )
    await app.ports.records.write(['datasets', 'objects'], async (transaction) => {
      await transaction.put('datasets', { ...dataset('d1', gone.id), tables: [table(tables[0]!.fileId)] })
      await transaction.put('datasets', { ...dataset('d2', kept.id), tables: [table(tables[1]!.fileId)] })
      await transaction.put('objects', object('o1', gone.id, { blobId: goneBlob.blobId }))
      await transaction.put('objects', object('o2', kept.id, { blobId: keptBlob.blobId }))
      await transaction.put('objects', object('o3', gone.id, { blobId: null }))
    })
    for (const { key } of [goneKey, keptKey]) await app.send('GET /public/v1/convert/formats', { key })

    const answer = await app.send(`DELETE /console/v1/workspaces/${gone.id}`)
    expect([answer.status, answer.data]).toEqual([200, { id: gone.id, deleted: true }])
    expect((await all('workspaces')).map(({ id }) => id)).toEqual([kept.id])
    expect((await all('keys')).map(({ id }) => id)).toEqual([keptKey.record.id])
    expect((await all('datasets')).map(({ id }) => id)).toEqual(['d2'])
    expect((await all('objects')).map(({ id }) => id)).toEqual(['o2'])
    expect((await all('counters')).every(({ id }) => id.startsWith(keptKey.record.id))).toBe(true)
    expect(await all('counters')).toHaveLength(4)
    expect(await app.ports.objects.get(goneBlob.blobId)).toBeUndefined()
    expect(await app.ports.objects.get(keptBlob.blobId)).toBeDefined()
    const count = (fileId: string) =>
      app.ports.tables.query(
        {
          sql: 'SELECT count(*) AS n FROM w.d.t',
          readable: [{ workspace: 'w', dataset: 'd', table: 't', fileId }],
          timeoutMs: 60_000,
          maxRows: 1,
        },
        signal,
      )
    expect((await count(tables[1]!.fileId)).rows).toEqual([[1]])
    await expect(count(tables[0]!.fileId)).rejects.toThrow()
    expect((await app.send('GET /public/v1/datasets/d1', { key: goneKey.key })).error?.code).toBe('UNAUTHORIZED')
  })

  test('logs files that can’t be removed now, and leaves them to the sweep', async () => {
    const [gone] = [await app.workspace(), await app.workspace()]
    await app.ports.records.write(['objects'], (transaction) =>
      transaction.put('objects', object('o1', gone.id, { blobId: 'b' })),
    )
    app.ports.objects.remove = () => Promise.reject(new Error('busy'))
    expect((await app.send(`DELETE /console/v1/workspaces/${gone.id}`)).status).toBe(200)
    expect(app.ports.lines).toHaveLength(1)
  })

  test('is refused if it’s the only one or doesn’t exist', async () => {
    const only = await app.workspace()
    expect((await app.send(`DELETE /console/v1/workspaces/${only.id}`)).error?.code).toBe('CONFLICT')
    expect((await app.send(`DELETE /console/v1/workspaces/${NOBODY}`)).error?.code).toBe('NOT_FOUND')
    expect(await list()).toHaveLength(1)
  })
})
