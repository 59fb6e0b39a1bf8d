import type { InspectedColumn, InspectedTable, Inspection, JsonSettings } from '../../../tables/plan.ts'
import type { Unfolding } from '../../../tables/settings.ts'
import { settingsInForce, unfoldPatch, type InspectRequest } from '../../../tables/inspect-request.ts'
import { Button } from '../../../ui/Button.tsx'
import { capitalized } from '../../../lib/text.ts'
import { nextStep, placeOf, stepsOf, UNFOLDED } from './unfolding.ts'

export interface UnfoldProps {
  readonly inspection: Inspection
  readonly request: InspectRequest
  readonly table: InspectedTable
  readonly column: InspectedColumn
  readonly disabled?: boolean
  readonly onChange: (patch: Partial<JsonSettings> & { kind: 'json' }) => void
}

/** What a button does. Its accessible name has the same words, for those who speak to the page. */
const ACTIONS = { columns: 'flatten to one column per key', rows: UNFOLDED.rows } as const

/** Unfolds a nested column by one level. Renders nothing for a column that can't be unfolded. */
export function UnfoldButton({ inspection, request, table, column, disabled = false, onChange }: UnfoldProps) {
  const settings = settingsInForce(request, inspection)
  const step = nextStep(settings, table, column)
  if (!step) return null
  const steps = stepsOf(settings, table)
  const ofColumn = (all: readonly Unfolding[]): number => all.filter(({ column: each }) => each === step.column).length
  const isRead = ofColumn(steps) === ofColumn(stepsOf(inspection.settings, table))
  const action = ACTIONS[step.as]
  return (
    <Button
      size="small"
      aria-label={`${placeOf(table, step.column)}: ${action}`}
      disabled={disabled || !isRead}
      onClick={() => onChange(unfoldPatch(table.name, [...steps, step]))}
    >
      {capitalized(action)}
    </Button>
  )
}
