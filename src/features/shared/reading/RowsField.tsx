import { splitAtCommas } from '../../../lib/text.ts'
import { TypedField } from '../../../ui/fields/Field.tsx'

interface RowsFieldProps {
  readonly label: string
  readonly rows: readonly number[]
  readonly onChange: (rows: readonly number[]) => void
}

/** Numbers of rows, with commas between. */
export function RowsField({ label, rows, onChange }: RowsFieldProps) {
  return (
    <TypedField
      label={label}
      hint="Their numbers, with commas between"
      mono
      placeholder="none"
      value={rows.join(', ')}
      onChange={(text) => {
        const numbers = splitAtCommas(text).map(Number)
        if (numbers.every((number) => Number.isInteger(number) && number > 0)) onChange(numbers)
      }}
    />
  )
}
