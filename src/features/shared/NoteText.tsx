import { aboutValues, columnNames, type NoteGroup } from '../../tables/changes/note-groups.ts'

/** A note about columns or the table, preceded by the columns' names. */
export function NoteText({ group }: { readonly group: NoteGroup }) {
  const values = aboutValues(group)
  return (
    <span>
      {group.columns.length === 0 ? null : <strong>{columnNames(group.columns)}: </strong>}
      {values ? `${group.message.replace(/\.$/, '')} (${values}).` : group.message}
    </span>
  )
}
