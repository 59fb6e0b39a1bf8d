import { stemOf } from './names.ts'

/** Characters of a name. */
const MOST = 128
/** Those of a name that is proposed, so that a number fits after it. */
const MOST_PROPOSED = 60

/** As names are compared: DuckDB doesn't tell upper from lower case. */
export const foldName = (name: string): string => name.toLowerCase()

/**
 * A name for a file's table that can mostly be written without quotes: `Sales 2024.csv` is `Sales_2024`.
 * @param table its name in the file, where the file has several
 * @param database whether a table's own name says enough without the file's
 */
export function proposeName(fileName: string, table: string | null = null, database = false): string {
  const stem = stemOf(fileName)
  const words = table === null ? stem : database ? table : `${stem} ${table}`
  const name = words
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  const led = /^\p{N}/u.test(name) ? `t_${name}` : name
  return Array.from(led).slice(0, MOST_PROPOSED).join('') || 'table_1'
}

/** The name, or the name with a number after it that isn't taken. `taken` holds folded names. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let n = 2; taken.has(foldName(free)); n++) free = `${name}_${n}`
  return free
}

/** What is wrong with a name that was typed; null when nothing is. `taken` holds folded names of the other tables. */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | null {
  const trimmed = name.trim()
  if (trimmed === '') return 'Give it a name.'
  if (trimmed.length > MOST) return `A name has at most ${MOST} characters.`
  if (/\p{Cc}/u.test(trimmed)) return 'A name can’t hold line breaks or other control characters.'
  return taken.has(foldName(trimmed)) ? 'Another local table has this name. Upper and lower case are the same.' : null
}
