import { stat } from 'node:fs/promises'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../lib/counts.ts'
import { describeSettings, FLAGS, formatName } from '../../../tables/labels.ts'
import type { Inspection, InspectedTable, Proposal } from '../../../tables/plan.ts'
import { parseArguments, sourceFormatOf } from '../arguments.ts'
import { EXIT, ProgressLine, UsageError, type Io } from '../io.ts'
import { filesOf, look, type Named } from '../reading.ts'
import { failureOf, noteLines, rejectedLines, sentenceOf, type Failure } from '../words.ts'
import type { Command } from './command.ts'

const OPTIONS = {
  from: { type: 'string' },
  json: { type: 'boolean' },
} as const

const HELP = `rowhouse inspect FILE…

Reads whole files and shows their format, encoding, tables, the columns’ types with the reason for each, proposals
to read values otherwise, and rows that don’t fit. Writes nothing.

FILE may be a pattern in quotes, such as 'data/**/*.csv', or a .zip, whose tables are read.

  --from FORMAT   read the files as this format
  --json          print one JSON document: {"files": [{"file", "inspection"} or {"file", "error"}]}
  --help          this text

Exit codes: 0 done, 1 a file can’t be read, 2 wrong usage.
`

type Looked = { readonly file: string } & ({ readonly inspection: Inspection } | { readonly error: Failure })

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (positionals.length === 0) throw new UsageError('Name the files to look at.')
  const request = values.from === undefined ? {} : { format: sourceFormatOf(values.from) }
  const progress = new ProgressLine(io)
  const all: Looked[] = []
  for (const file of await filesOf(positionals, io, progress)) {
    const { argument } = file
    try {
      const inspection = await look(file, request, io, progress)
      all.push({ file: argument, inspection })
      if (values.json !== true) await io.out(await described(file, inspection))
    } catch (error) {
      progress.clear()
      const failure = failureOf(error)
      all.push({ file: argument, error: failure })
      if (values.json !== true) io.err(`${argument}: ${sentenceOf(failure)}\n`)
    }
  }
  if (values.json === true) await io.out(`${JSON.stringify({ files: all }, null, 2)}\n`)
  return all.some((looked) => 'error' in looked) ? EXIT.failed : EXIT.done
}

async function described({ argument, path, unpacked }: Named, inspection: Inspection): Promise<string> {
  const { format, settings, tables, notes, proposals } = inspection
  const { size } = unpacked instanceof File ? unpacked : await stat(path)
  const words = [formatName(format, notes), ...describeSettings(settings), formatBytes(size)]
  const lines = [`${argument}: ${words.join(', ')}`, ...noteLines(notes), ...proposalLines(proposals, '  ')]
  for (const table of tables) lines.push(...tableLines(table, tables.length > 1))
  return `${lines.join('\n')}\n`
}

function tableLines(table: InspectedTable, isOneOfMany: boolean): string[] {
  const { name, columns, rows, rejectedCount, rejected, notes, proposals, hidden } = table
  const counts = `${plural(rows, 'row')}, ${plural(columns.length, 'column')}`
  const own = isOneOfMany || name !== null ? `“${name ?? ''}”${hidden === true ? ', hidden' : ''}: ` : ''
  const nameWidth = widest(columns.map((column) => column.name))
  const typeWidth = widest(columns.map((column) => column.type))
  const columnLines = columns.flatMap((column) => {
    const flags = column.flags.map((flag) => FLAGS[flag].label.toLowerCase())
    const why = [column.reason.replace(/\.$/, ''), ...flags].join('; ')
    const line = `    ${column.name.padEnd(nameWidth)}  ${column.type.padEnd(typeWidth)}  ${why}`
    return [line, ...proposalLines(column.proposals, '      ')]
  })
  const misfits =
    rejectedCount > 0
      ? [
          `  ${plural(rejectedCount, 'row')} ${rejectedCount === 1 ? 'doesn’t' : 'don’t'} fit:`,
          ...rejectedLines(rejected, rejectedCount).map((line) => `  ${line}`),
        ]
      : []
  return [
    `  ${own}${counts}`,
    ...columnLines,
    ...noteLines(notes).map((line) => `  ${line}`),
    ...proposalLines(proposals, '    '),
    ...misfits,
  ]
}

/** A line for each proposal to read a file differently. */
const proposalLines = (proposals: readonly Proposal[] | undefined, indent: string): string[] =>
  (proposals ?? []).map(({ message }) => `${indent}proposal: ${message}`)

/** Limits widths, so that one long text doesn't push the columns apart. */
const widest = (texts: readonly string[]): number => Math.min(32, Math.max(0, ...texts.map((text) => text.length)))

export const inspectCommand: Command = { summary: 'describe files', help: HELP, run }
