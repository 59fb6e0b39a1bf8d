import { useMemo, useState } from 'react'
import type { ColumnValues, ResultSet, TopValue } from '../../../../engine/client.ts'
import { Check } from '../../../../ui/fields/Field.tsx'
import { SearchField } from '../../../../ui/fields/SearchField.tsx'
import { formatCount, plural } from '../../../../ui/format.ts'
import { useAsync } from '../../../../ui/hooks/use-async.ts'
import { cellText } from '../../../shared/value/Cell.tsx'
import { useTools } from './use-result.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly column: number
  /** Shown until all values are counted. */
  readonly frequent: readonly TopValue[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Values listed at once. */
const LISTED = 100
/** Longest value in the list, in characters. */
const LONGEST = 200

/** Searches and selects values of the column. */
export function ValueList({ set, column, frequent, chosen, onChange }: Props) {
  const counted = useValues(set, column)
  const [search, setSearch] = useState('')
  // The selection is a text field with one value per line, so values with line breaks can't be in it.
  const values = (counted?.values ?? frequent).filter(
    ({ text }) => text !== '' && text.length <= LONGEST && !/[\r\n]/.test(text),
  )
  if (values.length === 0) return null
  const wanted = search.trim().toLocaleLowerCase()
  const found = values.filter(({ text }) => text.toLocaleLowerCase().includes(wanted))
  return (
    <fieldset className={css.values}>
      <legend>{counted?.exact ? plural(counted.values.length, 'different value') : 'Frequent values'}</legend>
      <SearchField compact label="Search values" value={search} onChange={setSearch} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach that */}
      <div className={css.valueList} tabIndex={0}>
        {found.slice(0, LISTED).map(({ text, count }) => (
          <Check
            key={text}
            label={`${cellText(text)} (${formatCount(count)})`}
            checked={chosen.includes(text)}
            onChange={(checked) => onChange(checked ? [...chosen, text] : chosen.filter((each) => each !== text))}
          />
        ))}
        {found.length === 0 ? <p className={css.faint}>No value has “{search.trim()}” in it.</p> : null}
        {found.length > LISTED ? (
          <p className={css.faint}>{formatCount(found.length - LISTED)} more: search for them.</p>
        ) : null}
      </div>
    </fieldset>
  )
}

/** All distinct values of a column; null until they are counted. */
function useValues(set: ResultSet, column: number): ColumnValues | null {
  const tools = useTools()
  const work = useMemo(
    () => tools && ((signal: AbortSignal) => tools.columnValues(set, column, signal)),
    [tools, set, column],
  )
  return useAsync(work)
}
