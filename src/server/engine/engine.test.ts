import { appendFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { combinePlan, inputTable, matchColumns, NO_CHOICES } from '../../tables/combine/match.ts'
import { defaultOptions, type ImportPlan } from '../../tables/plan.ts'
import { combine, convert, hash, inspect, verify } from './engine.ts'
import { planFrom } from '../../tables/edits.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-engine-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function source(name: string, content: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, content)
  return file
}

const toParquet = { target: 'parquet', options: defaultOptions('parquet') } as const
const planOf = async (file: string): Promise<ImportPlan> => planFrom((await inspect(file)).inspection)

/** Enough rows that progress is reported before the end. */
const manyRows = (): string =>
  ['id,text', ...Array.from({ length: 200_000 }, (_, i) => `${i},some text that makes the row longer ${i}`)].join('\n')

describe('converting', () => {
  it('writes a file that matches its receipt, and reports progress', async () => {
    const file = await source('a.csv', 'id,name\n1,é\n2,\n')
    const phases = new Set<string>()
    const out = path.join(folder, 'new', 'folder')
    const onProgress = ({ phase }: { phase: string }): void => void phases.add(phase)
    const request = { plan: await planOf(file), ...toParquet }
    const { outputs, rejectedFile } = await convert(file, request, { folder: out, onProgress })
    expect(rejectedFile).toBe(null)
    expect(outputs).toMatchObject([{ name: 'a.parquet', path: path.join(out, 'a.parquet') }])
    const [{ path: made, size, receipts }] = outputs
    expect((await stat(made)).size).toBe(size)
    expect(receipts).toMatchObject([{ verdict: 'match', source: { name: 'a.csv' }, expected: { rows: 2 } }])
    expect([...phases]).toEqual(['convert', 'verify'])
    expect(await verify(made, receipts)).toEqual([[]])
    expect(await readdir(out)).toEqual(['a.parquet'])
  })

  it('uses another name for a source if it’s given one', async () => {
    const file = await source('3f9a', 'id\n1\n')
    const { outputs } = await convert(
      { path: file, name: 'orders.csv' },
      { plan: await planOf(file), ...toParquet },
      { folder },
    )
    expect(outputs[0]).toMatchObject({ name: 'orders.parquet', receipts: [{ source: { name: 'orders.csv' } }] })
  })

  it('writes rejected rows to their own file', async () => {
    const file = await source('a.csv', 'id,name\n1,a\n2,b,c\n3,d\n')
    const { rejectedCount, rejectedFile } = await convert(file, { plan: await planOf(file), ...toParquet }, { folder })
    expect(rejectedCount).toBe(1)
    expect(rejectedFile?.name).toBe('a.rejected.csv')
    expect(await readFile(path.join(folder, 'a.rejected.csv'), 'utf8')).toContain('2,b,c')
  })

  it('combines files', async () => {
    const files = [await source('a.csv', 'id,name\n1,a\n'), await source('b.csv', 'name,id\nb,2\n')]
    const plans = await Promise.all(files.map(planOf))
    const tables = plans.map((plan, i) => inputTable(`${i}`, { file: path.basename(files[i]), plan, table: 0 }))
    const request = {
      name: 'all',
      inputs: plans.map((plan) => ({ plan, table: 0 })),
      combine: combinePlan(matchColumns(tables, NO_CHOICES), NO_CHOICES),
      target: 'csv',
      options: defaultOptions('csv'),
    } as const
    const { outputs } = await combine(files, request, { folder })
    expect(await readFile(outputs[0].path, 'utf8')).toBe('id,name,file\n1,a,a.csv\n2,b,b.csv\n')
  })
})

it('writes extra files beside the outputs', async () => {
  const file = await source('a.csv', 'id\n1\n')
  const out = path.join(folder, 'out')
  const { outputs } = await convert(
    file,
    { plan: await planOf(file), ...toParquet },
    {
      folder: out,
      finish: async ({ outputs: made }, pathOf) => [{ name: 'a.txt', content: await hash(pathOf(made[0])) }],
    },
  )
  expect(await readFile(path.join(out, 'a.txt'), 'utf8')).toBe(await hash(outputs[0].path))
})

describe('a conversion leaves nothing behind', () => {
  it('when it is cancelled', async () => {
    const file = await source('a.csv', manyRows())
    const request = { plan: await planOf(file), ...toParquet }
    for (const during of ['convert', 'verify']) {
      const cancelling = new AbortController()
      const reason = new Error('enough')
      const onProgress = ({ phase }: { phase: string }): void => {
        if (phase === during) cancelling.abort(reason)
      }
      await expect(convert(file, request, { folder, signal: cancelling.signal, onProgress })).rejects.toBe(reason)
      expect(await readdir(folder)).toEqual(['a.csv'])
    }
  })

  it('when it was cancelled before', async () => {
    const file = await source('a.csv', 'id\n1\n')
    const request = { plan: await planOf(file), ...toParquet }
    const converting = convert(file, request, { folder: path.join(folder, 'out'), signal: AbortSignal.abort() })
    await expect(converting).rejects.toThrow('aborted')
    expect(await readdir(folder)).toEqual(['a.csv'])
  })

  it('when `finish` rejects', async () => {
    const file = await source('a.csv', 'id\n1\n')
    const finish = (): Promise<never> => Promise.reject(new Error('no'))
    await expect(convert(file, { plan: await planOf(file), ...toParquet }, { folder, finish })).rejects.toThrow('no')
    expect(await readdir(folder)).toEqual(['a.csv'])
  })

  it('when an output would overwrite its source', async () => {
    const file = await source('a.csv', 'id\n1\n')
    const request = { plan: await planOf(file), target: 'csv', options: defaultOptions('csv') } as const
    await expect(convert(file, request, { folder, replace: true })).rejects.toThrow('overwrite itself')
    expect(await readFile(file, 'utf8')).toBe('id\n1\n')
    expect(await readdir(folder)).toEqual(['a.csv'])
  })

  it('when one of its names is taken, unless files may be replaced', async () => {
    const file = await source('a.csv', 'id,name\n1,a\n2,b,c\n')
    await source('a.rejected.csv', 'mine')
    const request = { plan: await planOf(file), ...toParquet }
    await expect(convert(file, request, { folder })).rejects.toThrow('a.rejected.csv” already exists')
    expect((await readdir(folder)).sort()).toEqual(['a.csv', 'a.rejected.csv'])
    expect(await readFile(path.join(folder, 'a.rejected.csv'), 'utf8')).toBe('mine')
    await convert(file, request, { folder, replace: true })
    expect(await readFile(path.join(folder, 'a.rejected.csv'), 'utf8')).not.toBe('mine')
  })

  it('when the source changes meanwhile', async () => {
    const file = await source('a.csv', manyRows())
    const request = { plan: await planOf(file), ...toParquet }
    let changed = false
    const onProgress = (): void => {
      if (!changed) appendFileSync(file, '\nx,y')
      changed = true
    }
    await expect(convert(file, request, { folder, onProgress })).rejects.toMatchObject({ code: 'file-changed' })
    expect(await readdir(folder)).toEqual(['a.csv'])
  })
})

describe('reading', () => {
  it('fails for a missing file and for a folder', async () => {
    await expect(inspect(path.join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(inspect(folder)).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('can be cancelled', async () => {
    const file = await source('a.csv', manyRows())
    const cancelling = new AbortController()
    const onProgress = (): void => cancelling.abort()
    await expect(inspect(file, {}, { signal: cancelling.signal, onProgress })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  it('detects a changed output', async () => {
    const file = await source('a.csv', 'id,name\n1,a\n2,b\n')
    const request = { plan: await planOf(file), target: 'csv', options: defaultOptions('csv') } as const
    const { outputs } = await convert(file, request, { folder: path.join(folder, 'out') })
    await writeFile(outputs[0].path, 'id,name\n1,a\n2,c\n')
    const [found] = await verify(outputs[0].path, outputs[0].receipts)
    expect(found?.map(({ column, what }) => `${column} ${what}`)).toContain('name checksum')
  })

  it('returns a file’s SHA-256', async () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(await hash(await source('a', 'abc'))).toBe(abc)
  })
})
