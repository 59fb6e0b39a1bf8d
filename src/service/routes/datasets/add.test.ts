import { describe, expect, test } from 'vitest'
import { withFault, type Fault } from '../../testing/faults.ts'
import { bench, benchOf, issuesOf, requestOf, serviceOver, type Answer, type Bench } from '../../testing/service.ts'

const MORE = 'id,name\n3,Cid\n'

const patch = (b: Bench, datasetId: string, body: unknown): Promise<Answer> =>
  b.call('updateDataset', { params: { datasetId }, body })

async function rowsOf(b: Bench, from: string): Promise<unknown> {
  const { data, error } = await b.call('query', { body: { sql: `FROM work.${from} ORDER BY ALL` } })
  return error ?? data['rows']
}

const people = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
]

describe('PATCH with add_tables', () => {
  test('adds a table, rows to an existing table, and the body’s other changes', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    b.ports.clock.advance(1000)
    const { status, data } = await patch(b, dataset.id, {
      short_description: 'both',
      add_tables: [
        { table_name: 'T', signed_url: await b.uploaded(MORE), append: true },
        { table_name: 'u', signed_url: await b.uploaded('x\n1\n'), description: 'new' },
      ],
    })
    expect(status).toBe(200)
    expect(data['tables']).toMatchObject([
      { table_name: 'T', status: 'success', rows_ingested: 1 },
      { table_name: 'u', status: 'success', rows_ingested: 1, schema: [{ name: 'x' }] },
    ])
    expect(data['dataset']).toMatchObject({
      description: 'both',
      tables: [
        { name: 't', row_count: 3 },
        { name: 'u', row_count: 1, description: 'new' },
      ],
    })
    expect(await rowsOf(b, 'D.t')).toEqual([...people, { id: 3, name: 'Cid' }])
    expect(await rowsOf(b, 'D.u')).toEqual([{ x: 1 }])
    await b.sweep()
    expect(b.ports.tables.files.size).toBe(2)
    expect(await rowsOf(b, 'D.t')).toHaveLength(3)
  })

  test('doesn’t change what a running statement reads', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    await patch(b, dataset.id, { add_tables: [{ table_name: 't', signed_url: await b.uploaded(MORE), append: true }] })
    expect(b.ports.tables.files.size).toBe(2)
  })

  test('adds nothing twice if a call is repeated', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const body = { add_tables: [{ table_name: 't', signed_url: await b.uploaded(MORE), append: true }] }
    expect((await patch(b, dataset.id, body)).status).toBe(200)
    const again = await patch(b, dataset.id, body)
    expect(again.error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('used already, so nothing was added') as unknown,
      details: { reason: 'upload_used' },
    })
    expect(await rowsOf(b, 'D.t')).toHaveLength(3)
    const made = { add_tables: [{ table_name: 'new', signed_url: await b.uploaded(MORE) }] }
    expect((await patch(b, dataset.id, made)).status).toBe(200)
    expect((await patch(b, dataset.id, made)).error?.details).toEqual({ reason: 'upload_used' })
    const answers = await Promise.all(
      [0, 1].map(async (_, i, all) => {
        const add = { table_name: `t${i % all.length}`, signed_url: body.add_tables[0]?.signed_url }
        return patch(b, dataset.id, { add_tables: [add] })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
  })

  test('doesn’t lose rows of another call that adds to the same table at the same time', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const uploads = await Promise.all(['id,name\n3,C\n', 'id,name\n4,D\n'].map((text) => b.uploaded(text)))
    const answers = await Promise.all(
      uploads.map((url) => patch(b, dataset.id, { add_tables: [{ table_name: 't', signed_url: url, append: true }] })),
    )
    const added = answers.filter(({ status }) => status === 200).length
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await rowsOf(b, 'D.t')).toHaveLength(2 + added)
    expect(added).toBeGreaterThan(0)
  })

  test('changes nothing if one table can’t be loaded', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const { error } = await patch(b, dataset.id, {
      name: 'Other',
      add_tables: [
        { table_name: 'u', signed_url: await b.uploaded('x\n1\n') },
        {
          table_name: 'v',
          signed_url: await b.uploaded('PAR1 and no more', 'application/vnd.apache.parquet', 'v.parquet'),
        },
      ],
    })
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'Not all tables loaded, so nothing was added.',
      details: {
        summary: { total: 2, successful: 1, failed: 1 },
        tables: [{ status: 'success' }, { table_name: 'v', status: 'failed', error: { code: 'INVALID_REQUEST' } }],
      },
    })
    expect((await b.details(dataset.id)).name).toBe('D')
    expect(b.ports.tables.files.size).toBe(1)
  })

  test('refuses all wrong names at once', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const missing = await patch(b, dataset.id, {
      add_tables: [
        { table_name: 'none', signed_url: await b.uploaded(MORE), append: true },
        { table_name: 'u', signed_url: 'https://elsewhere.test/x' },
        { table_name: 'U', signed_url: await b.uploaded(MORE) },
      ],
    })
    expect(issuesOf(missing)).toEqual([
      'add_tables[2].table_name: is the name of add_tables[1] too',
      'add_tables[1].signed_url: must be a URL that POST /storage/signed-urls gave to this workspace',
      'add_tables[0].table_name: must be a table of the dataset, to add rows to',
    ])
    const taken = await patch(b, dataset.id, { add_tables: [{ table_name: 'T', signed_url: await b.uploaded(MORE) }] })
    expect(taken.error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('append') as unknown })
  })

  test('requires a key that may write the dataset, and uploads of the key’s workspace', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    const add_tables = [{ table_name: 'u', signed_url: await b.uploaded(MORE) }]
    const reader = b.caller(await b.addKey(b.workspace, ['datasets:*:read']))
    const read = await reader('updateDataset', { params: { datasetId: dataset.id }, body: { add_tables } })
    expect(read.status).toBe(403)
    const other = await benchOf(b, 'Other')
    expect((await patch(other, dataset.id, { add_tables })).status).toBe(404)
    const theirs = [{ table_name: 'u', signed_url: await other.uploaded(MORE) }]
    expect((await patch(b, dataset.id, { add_tables: theirs })).status).toBe(400)
  })

  test.each(['before', 'after', 'from'] as const)('is atomic if a call to a port fails (%s)', async (fault: Fault) => {
    const b = await bench()
    for (let at = 1; ; at++) {
      const { dataset } = await b.dataset('D')
      const body = {
        add_tables: [
          { table_name: 't', signed_url: await b.uploaded(MORE), append: true },
          { table_name: 'u', signed_url: await b.uploaded('x\n1\n') },
        ],
      }
      const { ports, calls } = withFault(b.ports, at, fault)
      const request = requestOf('updateDataset', b.key, { params: { datasetId: dataset.id }, body })
      const { status } = await serviceOver(ports).fetch(request)
      expect([200, 400, 409, 500, 503]).toContain(status)
      const rows = await rowsOf(b, 'D.t')
      const { tables } = await b.details(dataset.id)
      const names = tables.map(({ name }) => name)
      if (status === 200)
        expect([names, rows]).toEqual([
          ['t', 'u'],
          [...people, { id: 3, name: 'Cid' }],
        ])
      else
        expect([
          [['t'], people],
          [
            ['t', 'u'],
            [...people, { id: 3, name: 'Cid' }],
          ],
        ]).toContainEqual([names, rows])
      await b.sweep()
      expect(b.ports.tables.files.size).toBe(names.length)
      await b.call('deleteDataset', { params: { datasetId: dataset.id } })
      if (calls() < at) break
      expect(at).toBeLessThan(40)
    }
  })
})
