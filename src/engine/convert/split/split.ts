import { formatInfo } from '../../../contract/formats.ts'
import { plural } from '../../../lib/counts.ts'
import { compareFingerprints } from '../../../tables/compare.ts'
import type { Note } from '../../../tables/plan.ts'
import type { ReceiptPart } from '../../../tables/receipt.ts'
import { columnCalled, partNames, problemsOf } from '../../../tables/reshape/split.ts'
import type { Split } from '../../../tables/reshape/types.ts'
import { type Column, printType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { EngineContext } from '../../formats/types.ts'
import { carryTable, type ConvertContext, type Making } from '../carry.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import type { OutputRequest } from '../output-writer.ts'
import { Partition, type Part, type PartRule } from './partition.ts'
import type { Output } from '../protocol.ts'
import { receiptOf, refuseMismatch } from '../receipt.ts'
import type { OutputTablePlan } from '../transfer.ts'
import { verifyTable, type Verified } from '../verify.ts'
import { extensionOf } from '../../../tables/file-names.ts'
import { checkpoint } from '../../../lib/yielding.ts'

interface Splitting extends Making {
  readonly split: Split
}

/** A part's file after writing and reading it back. */
interface MadePart {
  readonly key: Part['key']
  readonly id: string
  readonly size: number
  readonly verified: Verified
  readonly changes: readonly Note[]
}

/**
 * Makes a file for each part of a table: partitions the rows while reading, then writes the files one after another,
 * and reads each one back. Their total is compared with what was read. The first file has the receipt for all.
 * @throws {EngineError} `too-large` if there would be too many parts, `verification` on any difference
 */
export async function makeParts(
  making: Splitting,
  request: OutputRequest,
  context: ConvertContext,
): Promise<readonly Output[]> {
  const { plan, split } = making
  const [table] = plan.tables
  const rule = ruleOf(split, table)
  const started = performance.now()
  const partition = new Partition(rule, context.storage, request.jobId, context.signal)
  try {
    const carried = await carryTable(table, { ...making, output: partition }, request, context)
    await partition.finish()
    const converted = performance.now()
    const { transfer } = carried
    const made: MadePart[] = []
    const whole = new Fingerprinter(transfer.columns)
    // A table without rows becomes one file with its columns.
    const parts = partition.parts.length > 0 ? partition.parts : [EMPTY]
    const before = { rows: 0, bytes: 0 }
    const totalBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const part of parts) {
      const report = (rows: number): void =>
        context.progress({
          phase: 'split',
          table: making.done,
          tables: making.total,
          file: made.length,
          files: parts.length,
          rows: before.rows + rows,
          bytes: before.bytes + Math.round((part.bytes * rows) / Math.max(1, part.rows)),
          totalBytes,
        })
      const file = await makePart(
        making,
        { part, partition, name: table.name, report },
        transfer.columns,
        request,
        context,
      )
      whole.merge(file.verified.state)
      made.push(file)
      before.rows += part.rows
      before.bytes += part.bytes
    }
    const extension = extensionOf(request)
    const names = partNames(
      plan.name.slice(0, -extension.length - 1),
      made.map(({ key }) => key),
      extension,
    )
    const found = whole.finish()
    const size = made.reduce((sum, part) => sum + part.size, 0)
    const differences = [
      ...made.flatMap(({ verified }) => verified.differences),
      ...compareFingerprints(transfer.expected, found),
    ]
    const receipt = receiptOf(carried, {
      output: { name: plural(made.length, 'file'), size, format: request.target },
      duration: { convert: Math.round(converted - started), verify: Math.round(performance.now() - converted) },
      compared: { found, differences },
      changes: [splitNote(rule, made, names, transfer.columns), ...made.flatMap(({ changes }) => changes)],
      parts: made.map((part, i) => receiptPart(part, names[i])),
    })
    refuseMismatch([receipt])
    const { mimeType } = formatInfo(request.target)
    return made.map((part, i) => {
      return { id: part.id, name: names[i], mimeType, size: part.size, receipts: i === 0 ? [receipt] : [] }
    })
  } finally {
    await partition.discard()
  }
}

/** Refuses a split that is known to be impossible, before any work. */
export function refuseSplit({ columns, inputs }: OutputTablePlan, split: Split): void {
  const rows = inputs.reduce((sum, { planned }) => sum + (planned.table.found?.rows ?? 0), 0)
  const sheet = inputs.length === 1 ? inputs[0].planned.table.name : null
  const own = columns.map(({ textOf, type, ...column }) => ({ ...column, type: printType(textOf ?? type) }))
  const [problem] = problemsOf(sheet, own, rows, split)
  if (problem !== undefined) throw new EngineError('invalid-plan', problem)
}

function ruleOf(split: Split, { columns }: OutputTablePlan): PartRule {
  if (split.by === 'rows') return split
  const index = columnCalled(columns, split.column)
  if (!split.period) return { by: 'column', index }
  const { textOf, textFormat } = columns[index]
  return {
    by: 'column',
    index,
    period: split.period,
    ...(textOf ? { textOf } : {}),
    ...(textFormat ? { textFormat } : {}),
  }
}

const EMPTY: Part = { key: 0, rows: 0, bytes: 0 }

interface PartAt {
  readonly part: Part
  readonly partition: Partition
  /** The table's name. */
  readonly name: string
  /** Called with the number of rows written. */
  readonly report: (rows: number) => void
}

async function makePart(
  { open, thread }: Splitting,
  { part, partition, name, report }: PartAt,
  columns: readonly Column[],
  { target }: OutputRequest,
  { signal }: ConvertContext,
): Promise<MadePart> {
  const sent = new Fingerprinter(columns)
  const output = await open()
  await output.begin({ name, columns })
  for await (const batch of partition.read(part)) {
    sent.add(batch)
    await output.write(batch)
    report(sent.state.rows)
    await checkpoint(signal)
  }
  const { changes, readBack } = await output.finish()
  const written = await output.commit()
  const [table] = readBack
  const verifying: EngineContext = { signal, progress: () => undefined }
  const verified = await verifyTable(written, target, { columns, expected: sent.finish() }, table, verifying, thread)
  return { key: part.key, id: output.id, size: written.size, verified, changes: [...(table.changes ?? []), ...changes] }
}

function receiptPart({ key, size, verified: { found } }: MadePart, name: string): ReceiptPart {
  const value = typeof key === 'number' ? {} : { value: key }
  return { name, size, ...value, rows: found.rows, rowChecksum: found.rowChecksum }
}

function splitNote(
  rule: PartRule,
  made: readonly MadePart[],
  names: readonly string[],
  columns: readonly Column[],
): Note {
  const files = plural(made.length, 'file')
  if (rule.by === 'rows')
    return { code: 'split', message: `Split into ${files} of up to ${plural(rule.rows, 'row')} each.` }
  const without = made.findIndex(({ key }) => key === null)
  const nulls = without < 0 ? '' : ` Rows without a value are in “${names[without]}”.`
  const { name, type } = columns[rule.index]
  const zone = rule.period && printType(rule.textOf ?? type) === 'TIMESTAMP WITH TIME ZONE' ? ', in UTC' : ''
  return {
    code: 'split',
    message: `Split into ${files} by the ${rule.period ?? 'value'}s of “${name}”${zone}.${nulls}`,
  }
}
