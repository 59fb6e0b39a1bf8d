import { formatBytes } from '../../../lib/bytes.ts'
import { exists } from '../../engine/files.ts'
import { EXIT, Failed, ProgressLine, type Io } from '../io.ts'
import { shareOf } from '../reading.ts'
import type { Command } from './command.ts'
import { askedOf, contentLines, contentsForPrograms, DATA_HELP, withData } from './stored.ts'

const HELP = `rowhouse backup FILE

Writes what a server keeps to one file: workspaces, datasets with their tables, and the API keys’ hashes. The app makes such
files, too, under Settings, Backup: rowhouse restore puts them into a server, and the app into a browser. The file is read
back and checked before it gets its name.

Not in it: uploads and conversions, counters, the key that signs URLs, the operator’s token. It isn’t encrypted: whoever
has the file can read the tables. Stop the server first. Servers with PostgreSQL may keep running; if they use a bucket,
too, give a --data that none of them uses.

  --replace                   overwrite the file
  --json                      print one JSON document: {"file", "size", "contents"} or {"error"}
  --help                      this text

${DATA_HELP}
Exit codes: 0 the backup is made, 1 it couldn’t be made, 2 wrong usage, 130 cancelled.
`

async function run(args: readonly string[], io: Io): Promise<number> {
  const { file, settings, replace, json } = askedOf(args, io)
  if (!replace && (await exists(file.path))) {
    throw new Failed(
      'file-exists',
      `“${file.argument}” already exists.`,
      'Choose another name, or write over it with --replace.',
    )
  }
  const progress = new ProgressLine(io)
  const { createBackup } = await import('../../../service/backup/index.ts')
  const { backupDeps, countsOf } = await import('../../backup.ts')
  try {
    const { size, contents } = await withData(settings, { mustExist: true, alone: false }, async (data) => {
      io.signal.throwIfAborted()
      if ((await countsOf(data)).workspaces === 0) {
        throw new Failed('empty', 'There’s nothing to back up: no server has started here.', 'Check --data.')
      }
      return createBackup(backupDeps(data, file.path, { replace }), {
        signal: io.signal,
        onProgress: (done, total) =>
          progress.show(() => `${file.argument}: copying and checking, ${shareOf(done, total)}`),
      })
    })
    progress.clear()
    if (json) {
      const made = { file: file.argument, size, contents: contentsForPrograms(contents) }
      await io.out(`${JSON.stringify(made, null, 2)}\n`)
    } else {
      const first = `${file.argument}: ${formatBytes(size)}; read back and checked`
      await io.out(`${[first, ...contentLines(contents)].join('\n')}\n`)
    }
    return EXIT.done
  } finally {
    progress.clear()
  }
}

export const backupCommand: Command = { summary: 'make one file of all that a server keeps', help: HELP, run }
