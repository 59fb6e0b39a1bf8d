import type { MadeBy, ParameterValue, RunSummary, ScriptStatement } from '../../../engine/client.ts'
import { formatCount, plural } from '../../../ui/format.ts'
import type { Step } from './types.ts'

/* Statements that are to be run one after the other. */

/** A statement to run, and its own parameters where they aren't the tab's. */
export type Planned = ScriptStatement & { readonly values?: Readonly<Record<string, ParameterValue>> }

/** One of those that made something, to make it again. @param index among them */
export function toPlanned({ sql, parameters }: MadeBy, index: number): Planned {
  // In the tab's text it's nowhere, or anywhere.
  const nowhere = -1 - index
  return { text: sql, from: nowhere, to: nowhere, parameters: Object.keys(parameters), values: parameters }
}

export const toStep = ({ text, from }: ScriptStatement): Step => ({
  statement: text,
  from,
  outcome: 'waiting',
  note: null,
})

export function summaryWords({ message, rows, leftOut }: RunSummary): string {
  return message ?? (leftOut ? `the first ${formatCount(rows)} rows` : plural(rows, 'row'))
}
