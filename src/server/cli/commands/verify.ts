import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fromReceiptFile } from '../../../tables/files/receipt-file.ts'
import {
  candidatesFor,
  chosenOf,
  contradictions,
  namedFiles,
  outcomeOf,
  type Findings,
  type NamedFile,
  type Outcome,
} from '../../../tables/receipt-check.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { EngineError } from '../../../engine/errors.ts'
import { hash, verify } from '../../engine/engine.ts'
import { parseArguments } from '../arguments.ts'
import { EXIT, Failed, ProgressLine, UsageError, type Io } from '../io.ts'
import { named, rowsOf, shareOf, type Named } from '../reading.ts'
import { failureOf, sentenceOf } from '../words.ts'
import type { Command } from './command.ts'

const OPTIONS = { json: { type: 'boolean' } } as const

const HELP = `rowhouse verify FILE RECEIPT

Checks a file against a receipt that --receipt or the app has made. FILE is the converted file or its source. Its SHA-256
is compared; in a converted file, so is every table.

  --json   print one JSON document: {"file", "role", "verdict", "title", "sentences", "differences"} or {"file", "error"}
  --help   this text

Exit codes: 0 the file matches the receipt, 1 it doesn’t or can’t be checked, 2 wrong usage, 130 cancelled.
`

/** No receipt is larger. */
const MOST_BYTES = 64 * 1024 * 1024

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [file, receipt, ...more] = positionals
  if (file === undefined || receipt === undefined || more.length > 0) {
    throw new UsageError('Name one file and one receipt.')
  }
  const progress = new ProgressLine(io)
  try {
    const receipts = await readReceipts(named(receipt, io))
    const { role, outcome } = await compare(named(file, io), receipts, io, progress)
    progress.clear()
    const { tone, title, sentences, differences } = outcome
    const verdict = tone === 'good' ? 'same' : tone === 'bad' ? 'different' : 'unclear'
    if (values.json === true) {
      await io.out(`${JSON.stringify({ file, role, verdict, title, sentences, differences }, null, 2)}\n`)
    } else await io.out(`${[`${file}: ${title}`, ...outcomeLines(outcome)].join('\n')}\n`)
    return tone === 'good' ? EXIT.done : EXIT.failed
  } catch (error) {
    progress.clear()
    io.signal.throwIfAborted()
    const failure = failureOf(error)
    if (values.json === true) await io.out(`${JSON.stringify({ file, error: failure }, null, 2)}\n`)
    else io.err(`${sentenceOf(failure)}\n`)
    return EXIT.failed
  }
}

async function readReceipts({ argument, path: at }: Named): Promise<readonly Receipt[]> {
  const { size } = await stat(at)
  if (size > MOST_BYTES) throw new Failed('not-a-receipt', `“${argument}” is too large to be a receipt.`)
  const content = await readFile(at, 'utf8')
  let receipts: readonly Receipt[]
  try {
    receipts = fromReceiptFile(content)
  } catch (error) {
    throw new Failed('not-a-receipt', `“${argument}” can’t be used. ${error instanceof Error ? error.message : ''}`)
  }
  const [problem] = contradictions(receipts)
  if (problem !== undefined) throw new Failed('not-a-receipt', `“${argument}” can’t be right. ${problem}`)
  return receipts
}

async function compare(
  file: Named,
  receipts: readonly Receipt[],
  io: Io,
  progress: ProgressLine,
): Promise<{ readonly role: NamedFile['role']; readonly outcome: Outcome }> {
  const all = namedFiles(receipts)
  const { size } = await stat(file.path)
  const own = { name: path.basename(file.path), size }
  const candidates = candidatesFor(all, own)
  const { signal } = io
  const sha256 = await hash(file.path, {
    signal,
    onProgress: ({ bytes, totalBytes }) =>
      progress.show(() => `${file.argument}: hashing, ${shareOf(bytes, totalBytes)}`),
  })
  const chosen = candidates.length > 0 ? chosenOf(all, candidates, own, sha256) : null
  const one = chosen === null ? undefined : all[chosen]
  if (!one) {
    const names = [...new Set(all.map(({ name }) => `“${name}”`))].join(', ')
    throw new Failed('not-on-receipt', `The receipt isn’t about “${file.argument}”. It’s about ${names}.`)
  }
  const found = { size, sha256 }
  const read = one.role === 'source' ? {} : await readAgain(file, one, io, progress)
  return { role: one.role, outcome: outcomeOf(one, { ...found, ...read }) }
}

async function readAgain(
  file: Named,
  { receipts }: NamedFile,
  { signal }: Io,
  progress: ProgressLine,
): Promise<Pick<Findings, 'differences' | 'unreadable'>> {
  try {
    const differences = await verify(file.path, receipts, {
      signal,
      onProgress: ({ bytes, totalBytes, rows }) =>
        progress.show(() => `${file.argument}: comparing, ${shareOf(bytes, totalBytes)}${rowsOf(rows)}`),
    })
    return { differences }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { unreadable: error.place === undefined ? error.message : `${error.message} (${error.place})` }
  }
}

/** The largest number of differences to print. */
const SHOWN = 20

function outcomeLines({ sentences, differences }: Outcome): string[] {
  const all = differences.flatMap(({ table, found }) =>
    found.map(({ column, what, expected, found: other }) => {
      const where = [...(table === null ? [] : [`“${table}”`]), ...(column === null ? [] : [`“${column}”`])]
      return `    ${[...where, what].join(', ')}: ${expected} on the receipt, ${other} in the file`
    }),
  )
  const more = all.length > SHOWN ? [`    and ${all.length - SHOWN} more`] : []
  return [...sentences.map((sentence) => `  ${sentence}`), ...all.slice(0, SHOWN), ...more]
}

export const verifyCommand: Command = { summary: 'check a file against its receipt', help: HELP, run }
