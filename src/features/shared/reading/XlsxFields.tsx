import type { Inspection, XlsxSettings } from '../../../tables/plan.ts'
import { Check, NumberField } from '../../../ui/fields/Field.tsx'
import css from '../Form.module.css'

interface Props {
  readonly settings: XlsxSettings
  readonly inspection: Inspection
  readonly onChange: (patch: Partial<XlsxSettings>, typing?: boolean) => void
}

/** The header row of each sheet, counted as the spreadsheet counts. */
export function XlsxFields({ settings, inspection, onChange }: Props) {
  const rows = new Map(Object.entries(settings.headerRow))
  // Of this sheet alone: what was set for another may not be in what was detected yet.
  const set = (sheet: string, row: number | null, typing = false): void => {
    onChange({ headerRow: { [sheet]: row } }, typing)
  }
  return inspection.tables.map(({ name }) => {
    if (name === null) return null
    const row = rows.get(name) ?? null
    return (
      <div key={name} className={css.stack}>
        {row === null ? null : (
          <NumberField
            label={inspection.tables.length > 1 ? `Header row of ${name}` : 'Header row'}
            value={row}
            onChange={(next) => (next > 0 ? set(name, next, true) : undefined)}
          />
        )}
        <Check
          checked={row !== null}
          onChange={(header) => set(name, header ? 1 : null)}
          label={inspection.tables.length > 1 ? `${name} has a header row` : 'There is a header row'}
        />
      </div>
    )
  })
}
