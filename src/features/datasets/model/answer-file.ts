import type { Column, QueryData } from '../../../contract/schemas.ts'
import type { ImportPlan, Inspection } from '../../../tables/plan.ts'
import { applyEdits, editColumn, NO_EDITS } from '../../../tables/edits.ts'
import { profileKind, valueText } from './sql.ts'

/* A query's answer as a file that the engine reads: how a table is exported from a service that gives no files. */

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** The answer as CSV that `PLAIN_CSV` reads, every value as it came; nested ones as JSON. What is empty and isn't quoted is null. */
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

/** The plan that gives the columns the table's types; what an answer has only as text stays text. */
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
