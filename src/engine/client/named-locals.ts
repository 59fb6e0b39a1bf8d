import { foldName } from '../../lib/names.ts'
import { stemOf } from '../../tables/names.ts'
import { filesMentioned } from '../sql/files/paths.ts'
import type { ParameterValue, SessionTables } from '../sql/session-types.ts'
import type { NamedTable } from '../storage/table-types.ts'
import { mentioned } from './table-store.ts'

const IN_WORD = /[\p{L}\p{N}_]/u

/** Local tables that a statement may be about: by their names alone, by their files', or those that they have in a database. */
export function namedLocals(
  text: string,
  parameters: Readonly<Record<string, ParameterValue>>,
  local: SessionTables['local'],
  named: readonly NamedTable[],
): NamedTable[] {
  const values = Object.values(parameters).flatMap((value) => value.text ?? [])
  const paths = filesMentioned(text, values, [...new Set(local.flatMap(({ file }) => file?.path ?? []))])
  const byName = new Set(mentioned(`${text}\nlocal main`, named))
  const all = /\blocal\b/i.test(text)
  return named.filter((table, i) => {
    const { file, database } = local[i] ?? {}
    const path = file?.path ?? ''
    return (
      (byName.has(table) && (all || standsAlone(table.table, text))) ||
      paths.has(path) ||
      (database && [stemOf(path), database.table].every((name) => standsAlone(name, text)))
    )
  })
}

/** Whether a name that is in a text is there as a word of its own. */
export function standsAlone(name: string, text: string): boolean {
  const [folded, within] = [foldName(name), foldName(text)]
  for (let at = within.indexOf(folded); at >= 0; at = within.indexOf(folded, at + 1))
    if (!IN_WORD.test(within.slice(at - 1, at)) && !IN_WORD.test(within.charAt(at + folded.length))) return true
  return !/^[\p{L}\p{N}_]*$/u.test(name)
}
