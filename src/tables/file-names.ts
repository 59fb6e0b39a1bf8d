import { formatInfo, type FormatId } from '../contract/formats.ts'
import type { WriteOptions } from './plan.ts'

/** A file's name without the extension of its compression. */
export const unpackedName = (name: string): string => name.replace(/\.(gz|zst|zstd|bz2)$/i, '')

/** The extension of a file's name in lower case, before that of its compression: `csv` of `a.CSV.gz`. Empty for none. */
export const extensionIn = (name: string): string =>
  /\.([a-z0-9]+)$/i.exec(unpackedName(name))?.[1]?.toLowerCase() ?? ''

/** A file's name without folder and extensions: `a/b.csv.gz` becomes `b`. */
export function stemOf(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  return unpackedName(file).replace(/(?!^)\.[a-z0-9]{1,8}$/i, '') || 'table'
}

/** The extension of an output. */
export function extensionOf({
  target,
  options,
}: {
  readonly target: FormatId
  readonly options: WriteOptions
}): string {
  return options.kind === 'json' && options.layout === 'lines' ? 'ndjson' : formatInfo(target).extensions[0]
}
