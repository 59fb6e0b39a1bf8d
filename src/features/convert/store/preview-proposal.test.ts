import { expect, it } from 'vitest'
import type { Preview, PreviewRequest } from '../../../engine/client.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { createJob } from '../model/job.ts'
import { read } from '../model/changes.ts'
import { previewProposal } from './preview-proposal.ts'

const found = inspection(table([column('id', 'BIGINT'), column('day')]))
const job = read(createJob('a', new File(['x'], 'a.csv'), 0), { inspection: found, previews: [] })
const placed = {
  table: 0,
  column: 1,
  proposal: {
    code: 'day-first',
    label: 'Apply',
    message: '',
    change: { kind: 'column', patch: { type: 'DATE', format: { dateFormat: '%d/%m/%Y' } } },
  },
} as const

function client(rejected: Preview['rejected']) {
  const asked: (string | undefined)[][] = []
  const preview = (_: File, { plan }: PreviewRequest): Promise<Preview> => {
    const columns = plan.tables[0]?.columns.filter(({ include }) => include) ?? []
    asked.push(columns.map(({ source, type }) => `${source} ${type}`))
    const isDate = columns[0]?.type === 'DATE'
    return Promise.resolve({
      columns: [],
      rows: [[isDate ? '2025-04-03' : '03/04/2025']],
      rejected: isDate ? rejected : [],
    })
  }
  return { asked, preview }
}

it('reads the column before and after the proposal', async () => {
  const engine = client([])
  expect(await previewProposal(engine, job, placed)).toEqual([['03/04/2025', '2025-04-03']])
  expect(engine.asked).toEqual([['day VARCHAR'], ['day DATE']])
  expect(job.edits).toEqual([])
})

it('shows nothing if rows don’t fit, since values couldn’t be matched', async () => {
  const row = { row: 1, line: 2, reason: 'value', message: '', column: 'day', value: 'x', raw: 'x' } as const
  expect(await previewProposal(client([row]), job, placed)).toEqual([])
})
