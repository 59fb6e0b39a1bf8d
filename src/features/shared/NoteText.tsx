import { aboutValues, columnNames, type NoteGroup } from '../../tables/note-groups.ts'

/** Notes about some columns, or about the table: their names first. */
export function NoteText({ group }: { readonly group: NoteGroup }) {
  const values = aboutValues(group)
  return (
    <span>
      {group.columns.length === 0 ? null : <strong>{columnNames(group.columns)}: </strong>}
      {values ? `${group.message.replace(/\.$/, '')} (${values}).` : group.message}
    </span>
  )
}
