import { expect, test } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { adoptFile } from './adopt.ts'
import { EngineError } from '../errors.ts'
import { MemoryOutputs } from '../storage/output.ts'
import { convert, inspect } from '../testing/run.ts'
import type { FormatId } from '../../contract/formats.ts'
import { planFrom } from '../../tables/edits.ts'

const SOURCE = new File(['id,name\n007,Ann\n008,Bob\n'], 'people.csv')

async function adopt(made: Blob, target: FormatId, source = SOURCE, signal = new AbortController().signal) {
  const { inspection } = await inspect(source)
  const storage = new MemoryOutputs()
  const request = { jobId: 'job', plan: planFrom(inspection), target, options: defaultOptions(target), made }
  const adopted = adoptFile(source, request, { signal, progress: () => undefined, storage })
  return { storage, adopted }
}

test.each<FormatId>(['csv', 'tsv', 'json', 'xlsx', 'parquet'])(
  'takes a %s file that holds the same',
  async (target) => {
    const [made] = (await convert(SOURCE, target)).files
    if (!made) throw new Error('nothing was made')
    const { storage, adopted } = await adopt(made, target)
    const { outputs } = await adopted
    expect(outputs[0]?.receipts[0]).toMatchObject({ verdict: 'match', expected: { rows: 2 } })
    const kept = storage.files.get(outputs[0]?.id ?? '')
    expect(await kept?.arrayBuffer()).toEqual(await made.arrayBuffer())
    expect(outputs[0]?.size).toBe(made.size)
  },
)

test('takes what another program wrote, when the values are the same', async () => {
  const made = new Blob(['"id","name"\r\n"007","Ann"\r\n"008","Bob"\r\n'])
  const { outputs } = await (await adopt(made, 'csv')).adopted
  expect(outputs[0]?.receipts[0]?.verdict).toBe('match')
})

test('takes a workbook whose sheet is called otherwise', async () => {
  const [made] = (await convert(SOURCE, 'xlsx', { kind: 'xlsx', sheetName: 'Sheet1' })).files
  const { outputs } = await (await adopt(made, 'xlsx')).adopted
  expect(outputs[0]?.receipts[0]?.verdict).toBe('match')
})

test('takes JSON that is laid out otherwise', async () => {
  const [made] = (await convert(SOURCE, 'json', { kind: 'json', layout: 'lines', normalize: false })).files
  const { outputs } = await (await adopt(made, 'json')).adopted
  expect(outputs[0]?.receipts[0]?.verdict).toBe('match')
})

test.each([
  ['another value', 'id,name\n007,Ann\n008,Bod\n'],
  ['a lost zero', 'id,name\n7,Ann\n008,Bob\n'],
  ['a missing row', 'id,name\n007,Ann\n'],
  ['another name', 'id,nom\n007,Ann\n008,Bob\n'],
])('refuses a file with %s, and keeps nothing of it', async (_, text) => {
  const { storage, adopted } = await adopt(new Blob([text]), 'csv')
  await expect(adopted).rejects.toMatchObject({ code: 'verification' })
  expect(storage.files.size).toBe(0)
})

test('refuses a damaged file, and says whose fault it isn’t', async () => {
  const { adopted } = await adopt(new Blob(['PAR1 and nothing else']), 'parquet')
  const error = await adopted.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(EngineError)
  expect(error).toMatchObject({ code: 'verification', remedy: 'Convert it in this browser instead.' })
})

test('ends when it’s cancelled', async () => {
  const { storage, adopted } = await adopt(new Blob(['id,name\n']), 'csv', SOURCE, AbortSignal.abort())
  await expect(adopted).rejects.toMatchObject({ name: 'AbortError' })
  expect(storage.files.size).toBe(0)
})
