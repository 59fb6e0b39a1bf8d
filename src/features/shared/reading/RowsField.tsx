import { CheckedField } from '../../../ui/fields/CheckedField.tsx'
import { splitAtCommas } from '../../../lib/text.ts'

interface RowsFieldProps {
  readonly label: string
  readonly rows: readonly number[]
  readonly onChange: (rows: readonly number[]) => void
}

/** Row numbers, separated by commas. */
export function RowsField({ label, rows, onChange }: RowsFieldProps) {
  return (
    <CheckedField
      label={label}
      hint="Their numbers, with commas between"
      mono
      placeholder="none"
      value={rows.join(', ')}
      check={(text) => {
        const wrong = splitAtCommas(text).find((each) => !/^[1-9]\d{0,8}$/.test(each))
        return wrong === undefined ? null : `“${wrong}” isn’t a number from 1.`
      }}
      onChange={(text) => onChange(splitAtCommas(text).map(Number))}
    />
  )
}
