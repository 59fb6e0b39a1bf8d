import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../lib/counts.ts'
import type { BackupSummary } from '../../../service/backup/index.ts'
import type { Data } from '../../data.ts'
import { DATA_OPTIONS, flagsOf, helpLines, SettingsError } from '../../options.ts'
import { settingsOf, type Settings } from '../../settings.ts'
import { parseArguments } from '../arguments.ts'
import { UsageError, type Io } from '../io.ts'
import { named, type Named } from '../reading.ts'
import { listOf } from '../../../lib/text.ts'

/* What `backup` and `restore` share: options, and access to a server's data. */

interface Asked {
  readonly file: Named
  /** Read like those of `serve`. */
  readonly settings: Settings
  readonly replace: boolean
  readonly json: boolean
}

/** @throws {UsageError} */
export function askedOf(args: readonly string[], io: Io): Asked {
  const { values, positionals } = parseArguments(args, {
    ...flagsOf(DATA_OPTIONS),
    replace: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('Name one file.')
  const { replace, json, ...flags } = values
  try {
    return {
      file: named(file, io),
      settings: settingsOf(flags, io.env),
      replace: replace === true,
      json: json === true,
    }
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message, { cause: error }) : error
  }
}

/** Part of `--help`. */
export const DATA_HELP = `Where the server’s data is, as for rowhouse serve:

${helpLines(DATA_OPTIONS).join('\n')}
`

/**
 * Calls `use` with a server's data. Meanwhile, no server can use it if only one server may at a time, or with `alone`.
 * @param options `mustExist`: it's an error if there's no data yet; `alone`: no server may use it meanwhile
 */
export async function withData<T>(
  settings: Settings,
  options: { readonly mustExist: boolean; readonly alone: boolean },
  use: (data: Data) => Promise<T>,
): Promise<T> {
  // An embedded database is large, and most commands need none.
  const { openData } = await import('../../data.ts')
  const data = await openData(settings, { log: () => undefined, ...options })
  try {
    return await use(data)
  } finally {
    await data.close()
  }
}

/** The largest number of names to print. */
const SHOWN = 8

/** Describes a backup's contents for people, one line per kind. */
export function contentLines({ workspaces, datasets, tables, keys, bytes }: BackupSummary): string[] {
  const names = workspaces.map(({ name, slug }) => `${name} (${slug})`)
  return [
    `  ${plural(workspaces.length, 'workspace')}: ${listOf(names, SHOWN)}`,
    `  ${plural(datasets, 'dataset')} with ${plural(tables, 'table')} (${formatBytes(bytes)}), ${plural(keys, 'API key')}`,
  ]
}

/** Describes a backup's contents for programs. */
export function contentsForPrograms({
  createdAt,
  appVersion,
  workspaces,
  datasets,
  tables,
  keys,
  bytes,
}: BackupSummary) {
  return { created_at: createdAt.toISOString(), app_version: appVersion, workspaces, datasets, tables, keys, bytes }
}
