import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { NO_MENDS, replaceIn, replaceInText } from '../../../../tables/mends.ts'
import type { Mends, Replacement, ColumnPlan } from '../../../../tables/plan.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { Segments } from '../../../../ui/fields/Segments.tsx'
import { Check, SelectField, TextField } from '../../../../ui/fields/Field.tsx'
import { formatCount, plural } from '../../../../ui/format.ts'
import type { MendableRow } from './use-mendable-rows.ts'
import css from './Mend.module.css'

/** A correction of one cell that could apply to other cells with the same text. */
export interface SameFix extends Replacement {
  readonly count: number
}

interface Props {
  readonly columns: readonly ColumnPlan[]
  readonly rows: readonly MendableRow[]
  /** Number of all rejected rows. */
  readonly count: number
  readonly mends: Mends
  readonly locked: boolean
  readonly sameFix: SameFix | null
  readonly onReplace: (replacement: Replacement) => void
  readonly onChange: (mends: Mends) => void
}

const ALL = '*'

/** Find and replace in all rows that don't fit, and whether to put back those that fit afterwards. */
export function MendTools({ columns, rows, count, mends, locked, sameFix, onReplace, onChange }: Props) {
  const [column, setColumn] = useState(ALL)
  const [find, setFind] = useState('')
  const [text, setText] = useState('')
  const [whole, setWhole] = useState(false)
  const fitting = rows.filter(({ problem }) => problem === null).length
  const replacement = { source: column === ALL ? null : column, find, replace: text, whole }
  const found = find === '' && !whole ? 0 : rows.filter((row) => changes(row, columns, replacement)).length
  return (
    <div className={css.tools}>
      <form
        className={css.replace}
        aria-label="Find and replace"
        onSubmit={(event) => {
          event.preventDefault()
          if (found > 0) onReplace(replacement)
        }}
      >
        <SelectField
          label="In column"
          compact
          value={column}
          disabled={locked}
          options={[
            { value: ALL, label: 'All columns' },
            ...columns.map(({ source, name }) => ({ value: source, label: name })),
          ]}
          onChange={setColumn}
        />
        <TextField label="Find" compact mono disabled={locked} value={find} onChange={setFind} />
        <TextField label="Replace with" compact mono disabled={locked} value={text} onChange={setText} />
        <Check checked={whole} disabled={locked} onChange={setWhole} label="Whole values only" />
        <Button type="submit" size="small" disabled={locked || found === 0}>
          {found > 0 ? `Replace in ${plural(found, 'row')}` : 'Replace'}
        </Button>
      </form>
      {mends.replacements.length > 0 ? (
        <ul className={css.replacements} aria-label="Replacements">
          {mends.replacements.map((each, i) => (
            // Replacements may be equal, so the key includes the index.
            <li key={`${i} ${each.find}`}>
              <code>{each.find || 'nothing'}</code> → <code>{each.replace || 'nothing'}</code> in{' '}
              {each.source ?? 'all columns'}
              <IconButton
                label={`Undo replacing ${each.find || 'nothing'}`}
                disabled={locked}
                onClick={() => onChange({ ...mends, replacements: mends.replacements.toSpliced(i, 1) })}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <div className={css.end}>
        <output className={css.state}>{stateOf(rows, fitting, count, mends)}</output>
        {sameFix ? (
          <Button size="small" disabled={locked} onClick={() => onReplace(withoutCount(sameFix))}>
            {sameFix.count === 1 ? 'Same fix for 1 more like this' : `Same fix for all ${sameFix.count} like this`}
          </Button>
        ) : null}
        {mends.rows.length > 0 ? (
          <Button size="small" look="quiet" disabled={locked} onClick={() => onChange(NO_MENDS)}>
            Undo all changes
          </Button>
        ) : null}
        <PutBack mends={mends} locked={locked} fitting={fitting} onChange={onChange} />
      </div>
    </div>
  )
}

/** Where to put corrected rows that fit. */
function PutBack({
  mends,
  locked,
  fitting,
  onChange,
}: Pick<Props, 'mends' | 'locked' | 'onChange'> & { readonly fitting: number }) {
  return (
    <>
      <Segments
        label="Where mended rows go"
        value={mends.atEnd ? 'end' : 'place'}
        items={PLACES}
        disabled={locked}
        onChange={(place) => onChange(withPlace(mends, place))}
      />
      <Button
        size="small"
        aria-pressed={!mends.putBack}
        disabled={locked || !mends.putBack}
        onClick={() => onChange({ ...mends, putBack: false })}
      >
        Leave out
      </Button>
      <Button
        size="small"
        aria-pressed={mends.putBack}
        disabled={locked || mends.putBack || fitting === 0}
        onClick={() => onChange({ ...mends, putBack: true })}
      >
        Put back
      </Button>
    </>
  )
}

type Place = 'place' | 'end'

const PLACES: readonly { readonly value: Place; readonly label: string }[] = [
  { value: 'place', label: 'In their place' },
  { value: 'end', label: 'At the end' },
]

function withPlace(mends: Mends, place: Place): Mends {
  const { atEnd: _, ...inPlace } = mends
  return place === 'end' ? { ...inPlace, atEnd: true } : inPlace
}

const withoutCount = ({ source, find, replace, whole }: SameFix): Replacement => ({ source, find, replace, whole })

function changes({ mended, rejected }: MendableRow, columns: readonly ColumnPlan[], replacement: Replacement): boolean {
  if (!mended) return replaceInText(rejected.raw, [replacement]) !== rejected.raw
  return columns.some(({ index, source }) => {
    const [after] = replaceIn([mended[index] ?? null], [source], [replacement])
    return after !== (mended[index] ?? null)
  })
}

function stateOf(rows: readonly MendableRow[], fitting: number, count: number, { putBack, atEnd }: Mends): string {
  const of = `${formatCount(fitting)} of ${plural(rows.length, 'row')}${count > rows.length ? ' shown' : ''}`
  if (rows.some(({ problem }) => problem === undefined)) return 'Trying the rows…'
  if (fitting === 0) return 'None of these rows fit yet, so they’re left out.'
  const verb = fitting === 1 ? 'fits' : 'fit'
  return putBack
    ? `${of} ${verb} and will be put back ${atEnd ? 'at the end' : 'in place'}.`
    : `${of} ${verb} now. ${fitting === 1 ? 'Put it back, or leave it out.' : 'Put them back, or leave them out.'}`
}
