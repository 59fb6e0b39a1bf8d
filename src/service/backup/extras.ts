import { asError } from '../../lib/errors.ts'
import { BackupError, type Manifest } from './format.ts'
import type { AddExtra, Extras, ReadExtra } from './ports.ts'

/** The exported extras, with the ZIP entries of their files. */
export interface ExportedExtras {
  readonly values: Readonly<Record<string, unknown>>
  readonly files: readonly (Manifest['extra_files'][number] & { readonly open: () => Promise<Blob> })[]
}

export async function exportExtras(extras: Extras): Promise<ExportedExtras> {
  const exported = await Promise.all(
    Object.entries(extras).map(async ([extra, room]) => ({ extra, ...(await room.export()) })),
  )
  return {
    values: Object.fromEntries(exported.map(({ extra, value }) => [extra, value])),
    files: exported.flatMap(({ extra, files = [] }) =>
      files.map(({ key, name, open }, i) => ({
        extra,
        key,
        name,
        file: `extras/${extra}/${String(i + 1).padStart(4, '0')}.duckdb`,
        open,
      })),
    ),
  }
}

/** An extra that was read and checked. */
export interface CheckedExtra extends ReadExtra {
  /** Names of entries, by the extra's keys. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * Reads all extras.
 * @throws {BackupError} `invalid`
 */
export async function readExtras(extras: Extras, manifest: Manifest): Promise<CheckedExtra[]> {
  const read: CheckedExtra[] = []
  const values = Object.entries(manifest.extras)
  for (const { extra } of manifest.extra_files) if (!values.some(([name]) => name === extra)) throw unknownPart(extra)
  for (const [name, value] of values) {
    const room = Object.hasOwn(extras, name) ? extras[name] : undefined
    if (!room) throw unknownPart(name)
    const files = new Map(manifest.extra_files.flatMap(({ extra, key, file }) => (extra === name ? [[key, file]] : [])))
    try {
      const { contents, place } = await room.read(value, new Set(files.keys()))
      read.push({ contents, place, files })
    } catch (error) {
      const why = asError(error).message
      throw new BackupError(
        'invalid',
        `${why} The backup can’t be restored. Use another one.`,
        error,
        why.replace(/\.$/, ''),
      )
    }
  }
  return read
}

function unknownPart(name: string): BackupError {
  return new BackupError(
    'invalid',
    `The backup can’t be restored: “${name}” in it is nothing that this Rowhouse knows. Get the newest Rowhouse (in a browser, reload the page), or use another backup.`,
  )
}

/** Places the files of all extras before any is added. `then` gets functions that add them. */
export async function placeExtras(
  extras: readonly CheckedExtra[],
  archive: ReadonlyMap<string, Blob>,
  options: Parameters<ReadExtra['place']>[1],
  then: (add: AddExtra) => Promise<void>,
): Promise<void> {
  const placeFrom = async (at: number, adds: readonly AddExtra[]): Promise<void> => {
    const extra = extras[at]
    if (!extra) return then(async () => (await inTurn(adds)).flat())
    const files = new Map(
      Array.from(extra.files).flatMap(([key, entry]) => {
        const blob = archive.get(entry)
        return blob ? [[key, blob] as const] : []
      }),
    )
    await extra.place(files, options, (add) => placeFrom(at + 1, [...adds, add]))
  }
  await placeFrom(0, [])
}

async function inTurn(adds: readonly AddExtra[]): Promise<(readonly string[])[]> {
  const notes: (readonly string[])[] = []
  for (const add of adds) notes.push(await add())
  return notes
}
