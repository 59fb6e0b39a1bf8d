import type { Inspection, JsonSettings } from '../../../tables/plan.ts'
import { jsonTable, type Unfolding, unfolds } from '../../../tables/settings.ts'
import { unfoldPatch } from '../../../tables/inspect-request.ts'
import { parseType } from '../../../tables/types.ts'
import { Button } from '../../../ui/Button.tsx'
import css from './Nested.module.css'
import { capitalized } from '../../../lib/text.ts'

interface Props {
  readonly settings: JsonSettings
  readonly inspection: Inspection
  readonly onChange: (patch: Partial<JsonSettings>) => void
}

const WORDS = { columns: 'one column per key', rows: 'one row per element' } as const
/** What a button does. Its accessible name has the same words, for those who speak to the page. */
const ACTIONS = { columns: 'flatten to one column per key', rows: WORDS.rows } as const

/** Nested columns that are unfolded, and those that can be. */
export function NestedFields({ settings, inspection, onChange }: Props) {
  const tables = inspection.tables.map(({ name, columns }) => {
    const own = jsonTable(settings, name)
    const open = columns.flatMap(({ source, type }) => {
      const as = waysOf(type)
      return as === null ? [] : [{ column: source, as }]
    })
    return { name, done: own.unfold ?? [], open: unfolds(own) ? open : [] }
  })
  if (tables.every(({ done, open }) => done.length + open.length === 0)) return null
  return (
    <section className={css.nested} aria-label="Nested columns">
      <h4>Nested columns</h4>
      {tables.map(({ name, done, open }) => {
        const set = (unfold: readonly Unfolding[]): void => onChange(unfoldPatch(name, unfold))
        const where = name === null ? '' : ` in ${name}`
        return (
          <ul key={name}>
            {done.map((step, i) => (
              <li key={`${i} ${step.as} ${step.column}`}>
                <span>
                  “{step.column}”{where}: {WORDS[step.as]}
                </span>
                <Button
                  size="small"
                  aria-label={`Take back “${step.column}”${where}: ${WORDS[step.as]}`}
                  onClick={() => set(without(done, i))}
                >
                  Take back
                </Button>
              </li>
            ))}
            {open.map((step) => (
              <li key={`${step.as} ${step.column}`}>
                <span>
                  “{step.column}”{where}
                </span>
                <Button
                  size="small"
                  aria-label={`“${step.column}”${where}: ${ACTIONS[step.as]}`}
                  onClick={() => set([...done, step])}
                >
                  {capitalized(ACTIONS[step.as])}
                </Button>
              </li>
            ))}
          </ul>
        )
      })}
    </section>
  )
}

/** How values of a type can be unfolded. */
function waysOf(type: string): Unfolding['as'] | null {
  const { kind } = parseType(type)
  return kind === 'list' ? 'rows' : kind === 'struct' || kind === 'map' ? 'columns' : null
}

/** The steps without one of them, and without later ones that unfold its result. */
function without(steps: readonly Unfolding[], at: number): Unfolding[] {
  const column = steps[at]?.column ?? ''
  return steps.filter(
    (step, i) => i < at || (i > at && step.column !== column && !step.column.startsWith(`${column}.`)),
  )
}
