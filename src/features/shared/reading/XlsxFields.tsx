import type { Inspection, XlsxSettings } from '../../../tables/plan.ts'
import { rangeOf } from '../../../tables/range.ts'
import { CheckedField, NumberField } from '../../../ui/fields/CheckedField.tsx'
import { Check } from '../../../ui/fields/Field.tsx'
import { RowsField } from './RowsField.tsx'
import css from '../Form.module.css'
import { byHand } from '../../../tables/inspect-request.ts'

interface Props {
  readonly settings: XlsxSettings
  readonly inspection: Inspection
  readonly onChange: (patch: Partial<XlsxSettings>, typing?: boolean) => void
}

/** Where each table is on its sheet, and the roles of its rows, numbered as in the spreadsheet. */
export function XlsxFields({ settings, inspection, onChange }: Props) {
  const several = inspection.tables.length > 1
  return (
    <>
      {inspection.tables.map(({ name }) =>
        name === null ? null : (
          <TableFields
            key={name}
            name={name}
            suffix={several ? ` of ${name}` : ''}
            settings={settings}
            onChange={onChange}
          />
        ),
      )}
      <Check
        checked={settings.blocks === true}
        onChange={(blocks) => onChange({ blocks })}
        label="Also find tables of text"
        hint="Each block between blank rows, even without numbers or dates."
      />
    </>
  )
}

interface TableProps extends Omit<Props, 'inspection'> {
  readonly name: string
  /** Distinguishes it from other tables. */
  readonly suffix: string
}

function TableFields({ name, suffix, settings, onChange }: TableProps) {
  const of = <T,>(record: Readonly<Record<string, T>> | undefined): T | undefined =>
    new Map(Object.entries(record ?? {})).get(name)
  const headerRow = of(settings.headerRow) ?? null
  // Only this table's value, since the detected settings may not have other tables' changes yet.
  return (
    <div className={css.stack}>
      {headerRow === null ? null : (
        <>
          <NumberField
            label={`Header row${suffix}`}
            hint="Where the header begins"
            reverts
            least={1}
            value={headerRow}
            onChange={(row) => onChange({ headerRow: { [name]: row } }, true)}
          />
          <NumberField
            label={`Header rows${suffix}`}
            hint="How many rows it has"
            least={1}
            value={of(settings.headerRows) ?? 1}
            onChange={(rows) => onChange({ headerRow: { [name]: headerRow }, headerRows: { [name]: rows } }, true)}
          />
        </>
      )}
      <Check
        checked={headerRow !== null}
        onChange={(header) => onChange({ headerRow: { [name]: header ? 1 : null } })}
        label={suffix === '' ? 'There is a header row' : `${name} has a header row`}
      />
      <RangeField
        label={`Range${suffix}`}
        range={of(settings.range) ?? ''}
        onChange={(range) => onChange({ range: { [name]: range } }, true)}
      />
      <NumberField
        label={`Last rows left out${suffix}`}
        value={of(settings.skipLast) ?? 0}
        onChange={(rows) => onChange({ skipLast: { [name]: rows } }, true)}
      />
      <RowsField
        label={`Other rows left out${suffix}`}
        rows={of(settings.leaveOut) ?? []}
        onChange={(rows) =>
          onChange({ leaveOut: { [name]: rows }, ...byHand(of(settings.leaveOutSubtotals), { [name]: false }) }, true)
        }
      />
      <Check
        checked={of(settings.leaveOutSubtotals) === true}
        onChange={(out) => onChange({ leaveOutSubtotals: { [name]: out } })}
        label={`Leave out subtotals${suffix}`}
        hint="Rows with the sums of the rows above."
      />
      <CheckedField
        label={`Repeat merged values in columns${suffix}`}
        hint="Their letters, such as A, C"
        mono
        placeholder="none"
        value={(of(settings.repeatMerged) ?? []).join(', ')}
        check={(text) => {
          const wrong = partsOf(text).find((each) => !/^[A-Z]{1,3}$/.test(each))
          return wrong === undefined ? null : `“${wrong}” isn’t a column: give letters, such as A, C.`
        }}
        onChange={(text) => onChange({ repeatMerged: { [name]: partsOf(text) } }, true)}
      />
    </div>
  )
}

/** Columns as typed, separated by commas or blanks. */
const partsOf = (text: string): string[] => text.toUpperCase().match(/[^\s,]+/g) ?? []

interface RangeFieldProps {
  readonly label: string
  readonly range: string
  readonly onChange: (range: string) => void
}

function RangeField({ label, range, onChange }: RangeFieldProps) {
  return (
    <CheckedField
      label={label}
      hint="Such as A4:E64, with the header"
      mono
      placeholder="all of the sheet"
      value={range}
      check={(text) => (text.trim() === '' || rangeOf(text) ? null : 'Give two cells with a colon between: A4:E64.')}
      onChange={(text) => onChange(text.trim() === '' ? 'A1:' : text.trim().toUpperCase())}
    />
  )
}
