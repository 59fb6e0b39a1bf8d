import { aboutValues, columnNames, type NoteGroup } from '../model/notes.ts'

/** What is told of some columns, or of the table: their names first. */
export function NoteText({ group }: { readonly group: NoteGroup }) {
  const values = aboutValues(group)
  return (
    <span>
      {group.columns.length === 0 ? null : <strong>{columnNames(group.columns)}: </strong>}
      {values ? `${group.message.replace(/\.$/, '')} (${values}).` : group.message}
    </span>
  )
}
