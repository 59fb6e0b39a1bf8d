import { convertEach } from '../convert/each.ts'
import { combineAll } from '../convert/combined.ts'
import { OPTIONS, settingsOf } from '../convert/settings.ts'
import { parseArguments } from '../arguments.ts'
import { EXIT, ProgressLine, UsageError, type Io } from '../io.ts'
import { filesOf } from '../reading.ts'
import type { Command } from './command.ts'

const HELP = `rowhouse convert FILE… --to FORMAT

Converts each file to a file of its own, or with --combine all files to one table. Where the format holds one table, each
sheet of a workbook becomes a file. Every file that is made is read back and compared with its source. If they differ, the
conversion has failed and leaves nothing.

FILE may be a pattern in quotes, such as 'data/**/*.csv', or a .zip, whose tables are taken as files beside it.
FORMAT is csv, tsv, json, ndjson, xlsx, parquet or arrow.

  --to FORMAT               the new format
  --from FORMAT             read the files as this format
  --out DIR, -o DIR         the folder for new files; by default the folder of the file, or of the first one
  --recipe FILE             use a recipe that the app has saved. --to overrides its format
  --combine                 make one table of all files. Columns are matched by name, ignoring case, blanks and
                            punctuation, and get a type that holds all values
  --name NAME               the combined table’s name; by default what the files’ names have in common
  --no-file-column          don’t add a column with the file’s name
  --row-column              add a column with the row’s number in its file
  --accept-proposals        also match columns that seem to be the same under other names
  --split-by COLUMN         make a file for each value of this column
  --split-period PERIOD     month or year: a file for each month or year of this column's dates
  --split-rows N            make a file for every N rows
  --receipt                 write a receipt beside each file: what was compared, and the SHA-256 of source and new file
  --replace                 overwrite files
  --accept-rejected         leave out rows that don’t fit. They are written to NAME.rejected.csv
  --accept-failed-checks    accept values that fail the recipe’s checks
  --accept-other-columns    use the recipe on files with other columns
  --json                    print one JSON document: {"files": [{"file", "status", …}]}, or with --combine
                            {"table": {"files", "status", …, "proposals"}}
  --help                    this text

When rows don’t fit, checks fail or columns differ, the file is held: nothing is made until you accept that.

Exit codes: 0 done, 1 a file failed or is held, 2 wrong usage, 130 cancelled.
`

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (positionals.length === 0) throw new UsageError('Name the files to convert.')
  const settings = await settingsOf(values, io)
  const context = { io, progress: new ProgressLine(io), isPlain: values.json !== true }
  const files = await filesOf(positionals, io, context.progress)
  if ('combine' in settings) {
    const table = await combineAll(files, settings.combine, context)
    if (!context.isPlain) await io.out(`${JSON.stringify({ table }, null, 2)}\n`)
    return table.status === 'done' ? EXIT.done : EXIT.failed
  }
  const all = await convertEach(files, settings.each, context)
  if (!context.isPlain) await io.out(`${JSON.stringify({ files: all }, null, 2)}\n`)
  return all.every(({ status }) => status === 'done') ? EXIT.done : EXIT.failed
}

export const convertCommand: Command = { summary: 'convert files to another format', help: HELP, run }
