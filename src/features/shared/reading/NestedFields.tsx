import type { Inspection, JsonSettings } from '../../../tables/plan.ts'
import type { Unfolding } from '../../../tables/settings.ts'
import { settingsInForce, unfoldPatch, type InspectRequest } from '../../../tables/inspect-request.ts'
import { Button } from '../../../ui/Button.tsx'
import { UnfoldButton } from './UnfoldButton.tsx'
import { nextStep, placeOf, stepsOf, UNFOLDED } from './unfolding.ts'
import css from './Nested.module.css'

interface Props {
  readonly inspection: Inspection
  readonly request: InspectRequest
  readonly onChange: (patch: Partial<JsonSettings> & { kind: 'json' }) => void
}

/** Nested columns that are unfolded, and those that can be. */
export function NestedFields({ inspection, request, onChange }: Props) {
  const settings = settingsInForce(request, inspection)
  const tables = inspection.tables.map((table) => ({
    table,
    done: stepsOf(settings, table),
    open: table.columns.filter((column) => nextStep(settings, table, column)),
  }))
  if (tables.every(({ done, open }) => done.length + open.length === 0)) return null
  return (
    <section className={css.nested} aria-label="Nested columns">
      <h4>Nested columns</h4>
      {tables.map(({ table, done, open }) => (
        <ul key={table.name}>
          {done.map((step, i) => {
            const result = `${placeOf(table, step.column)}: ${UNFOLDED[step.as]}`
            return (
              <li key={`${i} ${step.as} ${step.column}`}>
                <span>{result}</span>
                <Button
                  size="small"
                  aria-label={`Take back ${result}`}
                  onClick={() => onChange(unfoldPatch(table.name, without(done, i)))}
                >
                  Take back
                </Button>
              </li>
            )
          })}
          {open.map((column) => (
            <li key={column.index}>
              <span>{placeOf(table, column.source)}</span>
              <UnfoldButton {...{ inspection, request, table, column, onChange }} />
            </li>
          ))}
        </ul>
      ))}
    </section>
  )
}

/** The steps without one of them, and without later ones that unfold its result. */
function without(steps: readonly Unfolding[], at: number): Unfolding[] {
  const column = steps[at]?.column ?? ''
  return steps.filter(
    (step, i) => i < at || (i > at && step.column !== column && !step.column.startsWith(`${column}.`)),
  )
}
