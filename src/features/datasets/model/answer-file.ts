import type { Column, QueryData } from '../../../contract/schemas.ts'
import type { ImportPlan, Inspection } from '../../../tables/plan.ts'
import { applyEdits, editColumn, NO_EDITS } from '../../../tables/edits.ts'
import { profileKind, valueText } from './sql.ts'

/* A query's answer as a file for the engine, to export a table from a service that doesn't provide its file. */

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** The answer as CSV for `PLAIN_CSV`, with unchanged values; nested ones as JSON. Unquoted empty fields are null. */
export function answerFile(answer: QueryData, name: string): File {
  const lines = [answer.columns.map(quoted).join(',')]
  for (const row of answer.rows) {
    lines.push(
      answer.columns
        .map((column) => {
          const text = valueText(row[column])
          return text === null ? '' : quoted(text)
        })
        .join(','),
    )
  }
  return new File([lines.join('\n'), '\n'], name, { type: 'text/csv' })
}

/** The plan to read the columns with the table's types. Types that an answer only has as text stay text. */
export function answerPlan(inspection: Inspection, schema: readonly Column[]): ImportPlan {
  const [table] = inspection.tables
  let edits = NO_EDITS
  for (const [i, { type }] of schema.entries()) {
    const kind = profileKind(type)
    const textOnly = kind === 'nested' || kind === 'bytes' || /^(INTERVAL|ENUM|BIT)/.test(type)
    if (table) edits = editColumn(edits, table, i, { type: textOnly ? 'VARCHAR' : type })
  }
  return applyEdits(inspection, edits)
}
