import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TARGET_FORMATS, type FormatId } from '../../contract/formats.ts'
import { EngineError } from '../../engine/errors.ts'
import { convertAsInspected, inspect as inspectInMemory } from '../../engine/testing/run.ts'
import { defaultOptions } from '../../tables/plan.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { convert, inspect, verify } from './engine.ts'
import type { InspectResult } from '../../engine/convert/inspection-types.ts'
import { planFrom } from '../../tables/edits.ts'

/*
 * Compares bytes, receipts and refusals with those of the engine over files in memory, for every fixture. Those for all
 * formats are converted to every target, each of the others to one target.
 */

const FIXTURES = ['src/engine', 'e2e/fixtures'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter(
      (name) => name.includes('fixtures') && /\.[a-z0-9]+$/i.test(name) && !/\.(ts|py|md|expected\.json)$/.test(name),
    )
    .sort(),
)

const TARGETS = TARGET_FORMATS.map(({ id }) => id)
const targetsOf = (fixture: string): readonly FormatId[] =>
  fixture.includes('pairs/') ? TARGETS : TARGETS.filter((_, i) => i === FIXTURES.indexOf(fixture) % TARGETS.length)

const out = mkdtempSync(path.join(tmpdir(), 'rowhouse-fixtures-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

interface Outcome {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  readonly receipts: readonly unknown[]
  readonly rejected: unknown
}

/** A receipt without what differs from one conversion of a file to the next. */
const lasting = (receipt: Receipt): unknown => ({ ...receipt, createdAt: '', duration: null })

/** The result, or the engine's error. */
async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { code, message, place, remedy } = error
    return { code, message, place, remedy }
  }
}

async function onDisk(
  file: string,
  inspecting: Promise<InspectResult>,
  target: FormatId,
  folder: string,
): Promise<Outcome> {
  const plan = planFrom((await inspecting).inspection)
  const result = await convert(file, { plan, target, options: defaultOptions(target) }, { folder })
  const made = [...result.outputs, ...(result.rejectedFile ? [result.rejectedFile] : [])]
  for (const output of result.outputs) {
    const differences = await verify(output.path, output.receipts)
    expect(differences).toEqual(output.receipts.map(() => []))
  }
  expect(readdirSync(folder).sort()).toEqual(made.map(({ name }) => name).sort())
  return {
    files: await Promise.all(made.map(async ({ name, path: at }) => ({ name, bytes: await readFile(at) }))),
    receipts: result.outputs.flatMap(({ receipts }) => receipts.map(lasting)),
    rejected: result.rejected,
  }
}

async function inMemory(file: File, inspecting: Promise<InspectResult>, target: FormatId): Promise<Outcome> {
  const { inspection } = await inspecting
  const { result, files, rejectedFile } = await convertAsInspected(file, inspection, target)
  const all = rejectedFile ? [...files, rejectedFile] : files
  return {
    files: await Promise.all(
      all.map(async (each) => ({ name: each.name, bytes: Buffer.from(await each.arrayBuffer()) })),
    ),
    receipts: result.outputs.flatMap(({ receipts }) => receipts.map(lasting)),
    rejected: result.rejected,
  }
}

it('finds the fixtures', () => {
  expect(FIXTURES.length).toBeGreaterThan(120)
})

describe.each(FIXTURES)('%s', (fixture) => {
  let file: File
  let inspected: { readonly onDisk: Promise<InspectResult>; readonly inMemory: Promise<InspectResult> }
  beforeAll(async () => {
    file = new File([readFileSync(fixture)], path.basename(fixture))
    inspected = { onDisk: inspect(fixture), inMemory: inspectInMemory(file) }
    await Promise.allSettled(Object.values(inspected))
  })

  it('has the same inspection', async () => {
    expect(await outcome(() => inspected.onDisk)).toEqual(await outcome(() => inspected.inMemory))
  })

  it.each(targetsOf(fixture))('becomes the same %s', async (target) => {
    const folder = path.join(out, `${FIXTURES.indexOf(fixture)}-${target}`)
    const made = await outcome(() => onDisk(fixture, inspected.onDisk, target, folder))
    expect(made).toEqual(await outcome(() => inMemory(file, inspected.inMemory, target)))
    rmSync(folder, { recursive: true, force: true })
  })
})
