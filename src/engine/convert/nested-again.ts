import type { Flattened, Note, TablePlan } from '../../tables/plan.ts'
import type { Column, NestedIn } from '../../tables/types.ts'

interface Placed extends Pick<Column, 'name' | 'members' | 'within'> {
  /** Its name in the file. */
  readonly source: string
}

interface Planned<C extends Placed> {
  readonly table: TablePlan
  readonly columns: readonly C[]
  readonly changes: readonly Note[]
}

/**
 * The table with columns that were made of objects' keys within these objects again, and what of that isn't as it was.
 * Columns that got another name stay where they are.
 * @param spelled whether a key with null is told from none
 */
export function nestedAgain<C extends Placed>(planned: Planned<C>, spelled: boolean): Planned<C> {
  const { table, columns, changes } = planned
  const flattened = table.found?.flattened ?? []
  if (flattened.length === 0 || columns.some(({ members }) => members)) return planned
  const names = new Set(columns.map(({ name }) => name))
  // Where some rows had no object there, the column is one of its own.
  const again = flattened.filter(({ column }) => !names.has(column))
  const nested = columns.map((column) => {
    if (column.name !== column.source) return column
    const objects = objectsOf(column.name, again)
    const [inner] = objects.slice(-1)
    if (!inner) return column
    const key = column.name.slice(inner.column.length + 1)
    return { ...column, within: { objects: objects.map(nestedIn), key } }
  })
  return { ...planned, columns: nested, changes: [...changes, ...again.map((each) => noteOf(each, spelled))] }
}

/** The objects that a column was taken out of, the outermost first. */
function objectsOf(name: string, flattened: readonly Flattened[]): Flattened[] {
  const own = flattened.find(({ names }) => names.includes(name))
  return own ? [...objectsOf(own.column, flattened), own] : []
}

function nestedIn({ column, none = 'null' }: Flattened, i: number, objects: readonly Flattened[]): NestedIn {
  const outer = objects[i - 1]
  return { key: outer ? column.slice(outer.column.length + 1) : column, none }
}

function noteOf({ column, none }: Flattened, spelled: boolean): Note {
  const unsure =
    none === undefined
      ? ' Rows without it had null, {} or no such key: it’s null in all of them.'
      : spelled || none === 'object'
        ? ''
        : ' Where all of them are null, so is the object, or it isn’t there.'
  return { code: 'nested-again', message: `The columns of “${column}” are written as an object again.${unsure}` }
}
