import { convertEach } from '../convert/each.ts'
import { combineAll } from '../convert/combined.ts'
import { OPTIONS, settingsOf } from '../convert/settings.ts'
import { parseArguments } from '../arguments.ts'
import { EXIT, ProgressLine, UsageError, type Io } from '../io.ts'
import { filesNamed } from '../paths.ts'
import { named } from '../reading.ts'
import type { Command } from './command.ts'

const HELP = `rowhouse convert FILE… --to FORMAT

Converts files, each to a file of its own (a workbook’s sheets to one each, where the format holds one table), or with
--combine all to one table. Every file that is made is read back and compared with what was read: what isn’t the same is a
failure, and leaves nothing.

FILE may be a pattern in quotes, such as 'data/**/*.csv'. FORMAT is csv, tsv, json, ndjson, xlsx, parquet or arrow.

  --to FORMAT               what to make
  --from FORMAT             read as this format, whatever the file seems to be
  --out DIR, -o DIR         where files go; by default beside the file, or the first file, that they’re made of
  --recipe FILE             read and write as this recipe says, saved by the app; --to overrules its format. One that
                            combines files does so
  --combine                 make one table of all files. Columns are one where their names are, whatever their case,
                            blanks and punctuation; its type is one that holds the values of all
  --name NAME               what the combined table is called; by default what the files’ names have in common
  --no-file-column          don’t add a column with the file’s name
  --row-column              add a column with the row’s number in its file
  --accept-proposals        make one of columns of other names that seem to be the same; otherwise they’re only told
  --split-by COLUMN         make a file for each value of this column
  --split-rows N            make a file for every N rows
  --receipt                 put a receipt beside each: what was compared, with SHA-256 of source and new file
  --replace                 write over files that are there already
  --accept-rejected         go without the rows that don’t fit; they go to NAME.rejected.csv
  --accept-failed-checks    take files whose values fail the recipe’s checks
  --accept-other-columns    use a recipe on files that have other columns than those that it was made for
  --json                    one JSON document: {"files": [{"file", "status", …}]}; of files that become one table
                            {"table": {"files", "status", …, "proposals"}}
  --help                    this text

A file is held, and nothing is made of it, when rows don’t fit, checks fail or columns differ, until you accept that.

Exit codes: 0 done, 1 a file failed or is held, 2 wrong usage, 130 cancelled.
`

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (positionals.length === 0) throw new UsageError('Name the files to convert.')
  const settings = await settingsOf(values, io)
  const files = (await filesNamed(positionals, io.folder)).map((argument) => named(argument, io))
  const context = { io, progress: new ProgressLine(io), isPlain: values.json !== true }
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
