import { copyFile, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDirectory } from '../../lib/zip/read.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { driftingMonths } from '../../../e2e/fixtures/months.ts'
import { Shell } from './testing.ts'

/*
 * The command line's outputs, byte by byte: `e2e/same-bytes.spec.ts` checks that a browser writes the same. Since
 * platforms compress differently, workbooks are compared by the contents of their parts.
 */

const CONVERSIONS = [
  ['customers.csv', 'parquet'],
  ['customers.csv.gz', 'xlsx'],
  ['kontoauszug.csv', 'json'],
  ['events.ndjson', 'csv'],
  ['wrapped.json', 'arrow'],
  ['two-sheets.xlsx', 'xlsx'],
  ['customers.xls', 'tsv'],
  ['types.parquet', 'csv'],
] as const

let shell: Shell
beforeAll(async () => {
  shell = await Shell.open()
})
afterAll(() => shell.close())

it('writes the same files and receipts as a browser', async () => {
  const lines: string[] = []
  for (const [name, target] of CONVERSIONS) {
    await copyFile(`e2e/fixtures/${name}`, shell.path(name))
    const args = ['convert', name, '--to', target, '--out', `${name}.out`, '--receipt', '--json', '--accept-rejected']
    const { code, out, err } = await shell.run(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { files } = JSON.parse(out) as { files: { outputs: { path: string; receipts: Receipt[] }[] }[] }
    const outputs = files.flatMap((file) => file.outputs)
    const receipts = outputs.flatMap((output) => output.receipts).map((receipt) => lasting(receipt, target))
    const parts = target === 'xlsx' ? { parts: await partsOf(outputs[0].path) } : {}
    lines.push(JSON.stringify({ name, target, receipts, ...parts }))
  }
  await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot('../../../e2e/fixtures/receipts.json')
})

it('combines and splits files with the same result as a browser', async () => {
  const told = async (...args: readonly string[]): Promise<object[]> => {
    const { code, out, err } = await shell.run(['convert', ...args, '--receipt', '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { files, table } = JSON.parse(out) as Record<'files' | 'table', unknown>
    const [made] = (files ?? [table]) as { outputs: { receipts: Receipt[] }[] }[]
    return made.outputs.flatMap(({ receipts }) => receipts.map((receipt) => lasting(receipt, '')))
  }
  for (const [name, text] of driftingMonths()) await shell.write(name, text)
  const combined = await told('orders-*.csv', '--combine', '--accept-proposals', '--to', 'parquet', '-o', 'combined')
  await copyFile('e2e/fixtures/customers.csv', shell.path('customers.csv'))
  const split = await told('customers.csv', '--split-by', 'batch', '--to', 'csv', '-o', 'split')
  const lines = Object.entries({ combined, split }).map(([what, made]) => `"${what}": ${JSON.stringify(made)}`)
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('../../../e2e/fixtures/receipts-reshaped.json')
})

/** A receipt without what differs from one conversion of a file to the next. */
function lasting(receipt: Receipt, target: string): object {
  const { createdAt: _createdAt, duration: _duration, ...rest } = receipt
  if (target !== 'xlsx') return rest
  const { size: _size, sha256: _sha256, ...output } = rest.output
  return { ...rest, output }
}

async function partsOf(file: string): Promise<readonly unknown[]> {
  const entries = await readDirectory(new Blob([await readFile(file)]))
  return entries.map(({ name, size, crc }) => [name, size, crc])
}
