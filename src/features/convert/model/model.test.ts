import { nextPace, startPace, timeLeft } from '../../shared/pace.ts'
import { NO_CHOICES } from '../../../tables/combine/match.ts'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../engine/client.ts'
import { toFailure } from './failure.ts'
import { wordsOf } from './line.ts'
import { createJob, isHeld, jobsToConvert, targetFor, type Job } from './job.ts'
import { agreed, converted, failed, progressed, queued, read, started, withTarget } from './changes.ts'
import { fileNames } from '../../../tables/names.ts'
import { pastedFile } from '../use-paste.ts'
import { recipeFinder, recipeName, type FileRecipe } from '../../../tables/recipes/recipe.ts'
import { sameSignature, signatureOf } from '../../../tables/recipes/signature.ts'
import { formatOf, interruptedJob, keptFiles, partsOf, stateOf, toRecord, type JobRecord } from './records.ts'
import { sampleFile } from '../../../tables/sample.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { stemOf } from '../../../tables/file-names.ts'
import { mergeSettings, settingsInForce } from '../../../tables/inspect-request.ts'

const found = inspection(table([column('id', 'BIGINT'), column('name')]))
const file = new File(['a'], 'orders.csv')

describe('job', () => {
  it('is converted as soon as it’s read, if that was requested', () => {
    const waiting = queued(createJob('1', file, 0))
    expect(waiting.stage.kind).toBe('reading')
    expect(read(waiting, inspectResult(found)).stage.kind).toBe('queued')
  })

  it('isn’t converted with all if it’s a text about the others, before it’s read and after', () => {
    const orders = createJob('1', file, 0)
    const readme = createJob('2', new File(['a'], 'readme.txt'), 0)
    const text = read(readme, inspectResult(inspection(table([column('Orders')]))))
    const toConvert = (...jobs: Job[]): string[] => jobsToConvert(jobs).map(({ id }) => id)
    expect([toConvert(orders, readme), toConvert(orders, text), toConvert(text)]).toEqual([['1'], ['1'], ['2']])
    expect([wordsOf(text, true).state, wordsOf(text, false).state]).toEqual(['A text, left out', 'Ready'])
  })

  it('keeps its result when settings change', () => {
    const result = { outputs: [], rejectedCount: 0, rejected: [], rejectedFile: null }
    const done = converted(read(createJob('1', file, 0), inspectResult(found)), result, 5)
    const again = withTarget(done, 'json')
    expect([again.stage.kind, again.result?.target]).toEqual(['ready', 'parquet'])
  })

  it('holds a result with missing rows until the person accepts it', () => {
    const result = { outputs: [], rejectedCount: 3, rejected: [], rejectedFile: null }
    const done = converted(read(createJob('1', file, 0), inspectResult(found)), result, 5).result!
    expect([isHeld(done), isHeld(agreed(done))]).toEqual([true, false])
  })

  it('has columns as they are found once a proposal left out what needed null values', () => {
    const edits = [{ table: null, columns: [{ source: 'id', nth: 0, format: { nullValues: [''] } }] }]
    const applied = [{ count: 2, before: { request: {}, edits: [] } }]
    const { plan, edits: left } = read({ ...createJob('1', file, 0), edits, applied }, inspectResult(found))
    expect([left, plan?.tables[0]?.columns[0]?.format]).toEqual([[], undefined])
  })

  it('proposes a target format by the file’s name', () => {
    expect(['a.csv', 'a.tsv.gz', 'a.parquet', 'a.xlsx', 'a'].map(targetFor)).toEqual([
      'parquet',
      'parquet',
      'csv',
      'csv',
      'csv',
    ])
  })

  it('merges settings of one kind and drops those of another', () => {
    const one = mergeSettings({}, { kind: 'csv', delimiter: ';' })
    expect(mergeSettings(one, { kind: 'csv', header: false }).settings).toEqual({
      kind: 'csv',
      delimiter: ';',
      header: false,
    })
    expect(mergeSettings(one, { kind: 'json', layout: 'lines' }).settings).toEqual({ kind: 'json', layout: 'lines' })
  })

  it('merges settings by sheet, and shows them before the file is read again', () => {
    const settings = { kind: 'xlsx', headerRow: { A: 4, B: 4, ['__proto__']: 1 } } as const
    const one = mergeSettings({}, { kind: 'xlsx', headerRow: { A: 5 } })
    const two = mergeSettings(one, { kind: 'xlsx', headerRow: { B: null } })
    expect(two.settings).toEqual({ kind: 'xlsx', headerRow: { A: 5, B: null } })
    const book = { ...inspectResult(found).inspection, format: 'xlsx', settings } as const
    expect(settingsInForce(two, book)).toEqual({
      kind: 'xlsx',
      headerRow: { A: 5, B: null, ['__proto__']: 1 },
    })
    expect(settingsInForce({ format: 'csv' }, book)).toBe(settings)
    const paths = mergeSettings(
      { settings: { kind: 'json', path: ['data', 'items'] } },
      { kind: 'json', path: ['rows'] },
    )
    expect(paths.settings).toEqual({ kind: 'json', path: ['rows'] })
  })
})

describe('records', () => {
  const record = (more: Partial<JobRecord>): JobRecord => ({
    ...toRecord(createJob('1', file, 0), 'tab-a', 1),
    ...more,
  })

  it('tell whether a job is finished, elsewhere or interrupted', () => {
    const alive = new Set(['tab-a'])
    expect(stateOf(record({ settled: true }), new Set())).toBe('finished')
    expect(stateOf(record({}), alive)).toBe('elsewhere')
    expect(stateOf(record({}), new Set(['tab-b']))).toBe('interrupted')
  })

  it('keep errors, but not cancellations', () => {
    const failure = { ...toFailure(new EngineError('corrupt-file', 'Cut short.')) }
    const kept = (what: typeof failure): JobRecord => toRecord(failed(createJob('1', file, 0), 'reading', what), 'a', 1)
    expect(kept(failure).failure).toBe(failure)
    expect([stateOf(kept(failure), new Set(['a'])), stateOf(kept(failure), new Set())]).toEqual(['elsewhere', 'failed'])
    expect(stateOf(kept({ ...failure, code: 'cancelled' }), new Set())).toBe('interrupted')
    expect(interruptedJob([kept(failure)], file, new Set(), new Set())?.id).toBe('1')
  })

  it('return the interrupted job of a file that is added again, once', () => {
    const records = [
      record({ id: 'old', updatedAt: 1 }),
      record({ id: 'new', updatedAt: 2 }),
      record({ id: 'other', size: 9 }),
    ]
    expect(interruptedJob(records, file, new Set(), new Set())?.id).toBe('new')
    expect(interruptedJob(records, file, new Set(), new Set(['new']))?.id).toBe('old')
    expect(interruptedJob(records, file, new Set(['tab-a']), new Set())).toBeNull()
  })

  it('of files that were combined don’t count as interrupted while the table exists', () => {
    const parts = [{ job: 'a', fileName: 'a.csv', size: 1, table: null }]
    const combination = { name: 'all', parts, choices: NO_CHOICES }
    const [a, b] = [record({ id: 'a' }), record({ id: 'b' })]
    const made = record({ id: 'c', settled: true, target: 'parquet', combination })
    expect(partsOf([made], [a, b, made], new Set())).toEqual([a])
    expect(partsOf([{ ...made, settled: false }], [a, b], new Set())).toEqual([])
    // Another tab still has it, or it was converted on its own.
    expect(partsOf([made], [a, b], new Set(['tab-a']))).toEqual([])
    expect(partsOf([made], [{ ...a, settled: true }], new Set())).toEqual([])
    expect([formatOf(made), formatOf(a)]).toEqual(['parquet', null])
  })

  it('name all files to keep', () => {
    const output = { id: 'run/a.csv', name: 'a.csv', mimeType: 'text/csv', size: 1, receipts: [] }
    const result = {
      target: 'csv' as const,
      outputs: [output],
      rejectedCount: 1,
      rejected: [],
      agreed: false,
      finishedAt: 1,
      rejectedFile: { ...output, id: 'run/rejected.csv' },
    }
    expect([...keptFiles([record({ result }), record({})])]).toEqual(['run/a.csv', 'run/rejected.csv'])
  })
})

describe('recipes', () => {
  const recipe = (id: string, createdAt: number, ...columns: string[]): FileRecipe => ({
    version: 1,
    id,
    name: id,
    createdAt,
    request: {},
    edits: [],
    target: 'csv',
    options: {},
    matches: [signatureOf(inspection(table(columns.map((name) => column(name)))))],
  })

  it('match files with the same columns in the same order, the newest recipe first', () => {
    const recipes = [recipe('a', 1, 'id', 'name'), recipe('b', 2, 'id', 'name'), recipe('c', 3, 'name', 'id')]
    expect(recipeFinder(recipes)(signatureOf(found))?.recipe.id).toBe('b')
    expect(recipeFinder(recipes.slice(2))(signatureOf(found))).toMatchObject({ missing: [], added: [] })
  })

  it('match files with similar columns, and list the differences', () => {
    const recipes = [recipe('a', 1, 'id', 'name', 'old'), recipe('b', 2, 'x', 'y')]
    const match = recipeFinder(recipes)(signatureOf(inspection(table([column('id'), column('name'), column('new')]))))
    expect([match?.recipe.id, match?.missing, match?.added]).toEqual(['a', ['old'], ['new']])
    expect(recipeFinder(recipes)(signatureOf(inspection(table([column('id'), column('z')]))))).toBeNull()
  })

  it('match files whose columns differ only in case, and list other differences with their exact names', () => {
    const find = (...names: string[]) =>
      recipeFinder([recipe('a', 1, 'Id', 'Name', 'Old')])(
        signatureOf(inspection(table(names.map((each) => column(each))))),
      )
    expect(find('ID', 'NAME', 'OLD')).toMatchObject({ missing: [], added: [] })
    expect(find('id', 'name', 'New')).toMatchObject({ missing: ['Old'], added: ['New'] })
  })

  it('match by columns, sheets and format', () => {
    const mine = signatureOf(found)
    expect(sameSignature(mine, signatureOf(found))).toBe(true)
    expect(sameSignature(mine, { ...mine, format: 'csv' })).toBe(false)
    expect(sameSignature(mine, { ...mine, tables: [] })).toBe(false)
  })

  it('are named after what stays the same from month to month', () => {
    expect(
      ['orders-2024-03.csv', 'Umsatz 2024.xlsx', 'a.csv.gz', '2024.csv', 'export (3).csv'].map(recipeName),
    ).toEqual(['orders', 'Umsatz', 'a', '2024', 'export'])
  })
})

describe('pace', () => {
  it('gives the rate and the remaining time once there’s enough data', () => {
    let pace = startPace(0)
    expect(timeLeft(pace, 0, 1000)).toBeNull()
    for (let at = 500; at <= 3000; at += 500) pace = nextPace(pace, at, at)
    expect(Math.round(pace.rate ?? 0)).toBe(1000)
    expect(Math.round(timeLeft(pace, 3000, 5000) ?? 0)).toBe(2000)
  })

  it('gives no remaining time in the first second and a half, or when all bytes are processed', () => {
    let pace = startPace(0)
    for (let at = 500; at <= 1000; at += 500) pace = nextPace(pace, at, at)
    expect(timeLeft(pace, 1000, 1e6)).toBeNull()
    pace = nextPace(pace, 1500, 1500)
    expect(timeLeft(pace, 1500, 1e6)).not.toBeNull()
    expect(timeLeft(pace, 1e6, 1e6)).toBeNull()
  })

  it('is measured from the first report of a part, without a worker’s start and earlier parts', () => {
    const report = (bytes: number) =>
      ({ phase: 'convert', table: 0, tables: 1, rows: 0, bytes, totalBytes: 9e6 }) as const
    const paceOf = (job: Job) => (job.stage.kind === 'converting' ? job.stage.pace : null)
    const first = progressed(started(createJob('1', file, 0), 0), report(500), 3000)
    expect(paceOf(first)).toEqual(startPace(3000, 500))
    expect(paceOf(progressed(first, report(1500), 4000))?.rate).toBe(1000)
    expect(paceOf(progressed(first, report(100), 4000))?.rate).toBeNull()
  })

  it('ignores reports that follow too closely', () => {
    const pace = startPace(0)
    expect(nextPace(pace, 100, 50)).toBe(pace)
  })
})

describe('names', () => {
  it('are made unique, ignoring case', () => {
    expect(fileNames(['a.csv', 'A.csv', 'a.csv', 'a (2).csv', '.env', '.env'])).toEqual([
      'a.csv',
      'A (2).csv',
      'a (3).csv',
      'a (2) (2).csv',
      '.env',
      '.env (2)',
    ])
    expect(['a.csv', 'a.b.csv.gz', 'plain', '.csv'].map(stemOf)).toEqual(['a', 'a.b', 'plain', '.csv'])
  })
})

describe('failures', () => {
  it('have the engine’s message, and receipts if there are any', () => {
    const receipt = { verdict: 'mismatch', differences: [] }
    const error = new EngineError('verification', 'No.', { place: 'line 3', remedy: 'Retry.', details: receipt })
    expect(toFailure(error)).toEqual({
      code: 'verification',
      message: 'No.',
      place: 'line 3',
      remedy: 'Retry.',
      requestId: null,
      receipts: [receipt],
    })
    expect(toFailure('what').code).toBe('internal')
  })
})

describe('files created in the page', () => {
  it.each([
    ['a spreadsheet’s cells, rows of empty ones too', 'a\tb\n1\t2\n\t\n3\t4', 'pasted.tsv'],
    ['a line end within a cell', 'a\tb\n1,5\t"x\ny"\n', 'pasted.tsv'],
    ['an empty text beside nothing at all', 'a;b\r\n"";\r\n', 'pasted.csv'],
  ])('keep %s as it was copied', async (_, text, name) => {
    const pasted = pastedFile(text)
    expect([pasted?.name, await pasted?.text()]).toEqual([name, text])
  })

  it('are JSON if the text is JSON, and null if it’s empty', () => {
    expect(pastedFile(' [{"a": 1}]')?.name).toBe('pasted.json')
    expect(pastedFile(' \n')).toBeNull()
  })

  it('include a sample with ten columns of what other converters get wrong', async () => {
    const { default: Papa } = await import('papaparse')
    const rows = Papa.parse<string[]>(await sampleFile().text(), { skipEmptyLines: true }).data
    expect([rows.length, new Set(rows.map((row) => row.length))]).toEqual([481, new Set([10])])
    expect(rows[1]?.slice(0, 3)).toEqual(['9007199254740993', '00000', 'O’Brien, Máire'])
  })
})
