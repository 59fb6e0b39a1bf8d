import { nameSchema } from '../../../contract/schemas.ts'
import { firstFree, foldName as fold } from '../../../lib/names.ts'
import { stemOf } from '../../../tables/file-names.ts'

/** A name's form for comparing, as used by the service. */
export const foldName = (name: string): string => fold(name.trim())

/** What is wrong with the name of a dataset or table; null if it's valid. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'Give it a name.'
  if (name.trim().length > 128) return 'A name has at most 128 characters.'
  return nameSchema.safeParse(name).success ? null : 'A name can’t hold line breaks or other control characters.'
}

/** Control characters, and halves of characters, which cutting a name may leave. */
const REFUSED = /[\p{Cc}\p{Cs}]/gu

/** A name that the service accepts, from the file's name and, if a file has several tables, the table's. */
export function proposeName(fileName: string, table: string | null = null): string {
  const clean = (text: string): string => text.trim().slice(0, 120).replaceAll(REFUSED, ' ').trim()
  return clean(table ?? '') || clean(stemOf(fileName)) || 'table'
}

/**
 * The name, with a number if it's taken: `orders_2`, which needs no quotes in SQL; but `Sales EU 2`. `taken` has folded
 * names.
 */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const between = /\s/.test(name) ? ' ' : '_'
  return firstFree(
    name,
    (free) => taken.has(foldName(free)),
    (number) => `${name.slice(0, 122).replace(REFUSED, '')}${between}${number}`,
  )
}

const RETRY = /^(.*) \(retry [a-z0-9]{6}\)$/s

/** The temporary name of a dataset that will replace another. `id` is any six letters or digits. */
export function retryName(name: string, id: string): string {
  return `${name.slice(0, 112).replace(REFUSED, '').trimEnd()} (retry ${id})`
}

/** The intended name of a dataset left over from an interrupted retry; null for others. */
export function leftoverOf(name: string): string | null {
  return RETRY.exec(name)?.[1] ?? null
}
