import { plural } from '../../../lib/counts.ts'
import type { BackupSummary } from '../../../service/backup/index.ts'
import { DiskBlob } from '../../objects/disk-blob.ts'
import { EXIT, Failed, ProgressLine, type Io } from '../io.ts'
import { shareOf } from '../reading.ts'
import { failureOf } from '../words.ts'
import type { Command } from './command.ts'
import { askedOf, contentLines, contentsForPrograms, DATA_HELP, withData } from './stored.ts'
import { listOf } from '../../../lib/text.ts'

const HELP = `rowhouse restore FILE

Puts a backup into a server, in place of all its workspaces, datasets and API keys: one that rowhouse backup made, or the
app under Settings, Backup. The backup is checked, and its contents are listed, before anything changes. If the restore
fails or is cancelled, the server stays as it was. Stop all of its servers first: while one runs, a restore is refused.

The backup’s API keys work on the server. Their text is in no backup; with the operator’s token, new ones can be made. The
first start of rowhouse serve shows that token, and rowhouse serve --new-console-token makes another.

What pages keep for themselves (saved queries, tabs, history and tables of the SQL screen, recipes) can’t be restored to
a server. It’s listed, and stays in the file, from which a browser can restore it.

  --replace                   replace what the server has; without it, only an empty server is restored to
  --json                      print one JSON document: {"file", "contents", "left_out", "replaced"} or {"file", "error"}
                              with those of the other fields that are known by then
  --help                      this text

${DATA_HELP}
Exit codes: 0 the backup is restored, 1 it isn’t and nothing was changed, 2 wrong usage, 130 cancelled.
`

/** Filled in once the backup has been read, so that it's also printed after an error. */
interface Told {
  contents?: BackupSummary
}

async function run(args: readonly string[], io: Io): Promise<number> {
  const asked = askedOf(args, io)
  const told: Told = {}
  const forPrograms = () => ({
    file: asked.file.argument,
    ...(told.contents ? { contents: contentsForPrograms(told.contents), left_out: told.contents.extras } : {}),
  })
  try {
    const replaced = await restore(asked, told, io)
    if (asked.json) await io.out(`${JSON.stringify({ ...forPrograms(), replaced }, null, 2)}\n`)
    return EXIT.done
  } catch (error) {
    if (!asked.json || io.signal.aborted) throw error
    await io.out(`${JSON.stringify({ ...forPrograms(), error: failureOf(error) }, null, 2)}\n`)
    return EXIT.failed
  }
}

async function restore(
  { file, settings, replace, json }: ReturnType<typeof askedOf>,
  told: Told,
  io: Io,
): Promise<Readonly<Record<string, number>>> {
  const { inspectBackup, restoreBackup } = await import('../../../service/backup/index.ts')
  const { countsOf, PAGES, restoreDeps } = await import('../../backup.ts')
  const { signal } = io
  const progress = new ProgressLine(io)
  const showing = (what: string) => ({
    signal,
    onProgress: (done: number, total: number) =>
      progress.show(() => `${file.argument}: ${what}, ${shareOf(done, total)}`),
  })
  try {
    const backup = await DiskBlob.open(file.path)
    const contents = await inspectBackup(backup, PAGES, showing('checking'))
    progress.clear()
    told.contents = contents
    if (!json) await io.out(`${introduction(file.argument, contents).join('\n')}\n`)
    return await withData(settings, { mustExist: false, alone: true }, async (data) => {
      signal.throwIfAborted()
      const counts = await countsOf(data)
      const words = listOf([
        plural(counts.workspaces, 'workspace'),
        plural(counts.datasets, 'dataset'),
        plural(counts.keys, 'API key'),
      ])
      if (counts.workspaces > 0 && !replace) {
        throw new Failed(
          'not-empty',
          `The server has ${words}, which the backup would replace. Nothing was changed.`,
          'To keep them as a file, make a backup; to replace them, add --replace.',
        )
      }
      await restoreBackup(restoreDeps(data, settings.databaseUrl === null), backup, showing('restoring'))
      progress.clear()
      const before = counts.workspaces > 0 ? ` in place of ${words}` : ''
      if (!json) await io.out(`Restored${before}. The API keys of the backup work, and no others.\n`)
      return counts
    })
  } finally {
    progress.clear()
  }
}

function introduction(name: string, contents: BackupSummary): string[] {
  const made = contents.createdAt.toISOString().slice(0, 16).replace('T', ' ')
  const { extras } = contents
  return [
    `${name}: made ${made} UTC by Rowhouse ${contents.appVersion}; all of it is checked`,
    ...contentLines(contents),
    ...(extras.length > 0
      ? [`  Not for a server: ${listOf(extras)}. This stays in the file, which brings it back in a browser.`]
      : []),
  ]
}

export const restoreCommand: Command = { summary: 'put a backup into a server', help: HELP, run }
