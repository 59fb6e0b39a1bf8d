import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain } from '../../shared/problem.ts'
import { ColumnType } from '../../shared/columns/ColumnType.tsx'
import type { ReactNode } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import type { Column } from '../../../contract/schemas.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { cellText } from '../../shared/value/Cell.tsx'
import { valueText } from '../model/sql.ts'
import { Starting } from './Starting.tsx'
import { useProfile, type Histogram, type Profile } from './use-profile.ts'
import css from './ColumnsView.module.css'

interface Props {
  readonly dataset: DatasetDetails
  readonly table: DatasetTable
  readonly column: Column
}

/** Statistics of a column's values, which the service computes when they're shown. */
export function ColumnProfile({ dataset, table, column }: Props) {
  const { data, error, isFetching, refetch, cancel } = useProfile(dataset, table, column)
  return (
    <section aria-label={`Profile of ${column.name}`} className={css.card} aria-busy={isFetching}>
      <div className={css.head}>
        <h3>{column.name}</h3>
        <ColumnType type={column.type} />
      </div>
      {isFetching ? (
        <div className={css.waiting}>
          <Progress label={`Profile of ${column.name}`} value={null} />
          <Starting isWaiting />
          <Button size="small" look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </div>
      ) : null}
      {!isFetching && error ? (
        <ProblemNotice problem={explain(error, 'The column wasn’t looked at')} onRetry={() => void refetch()} />
      ) : null}
      {!isFetching && !error && !data ? (
        <div className={css.waiting}>
          <p className={css.faint}>Cancelled.</p>
          <Button size="small" onClick={() => void refetch()}>
            Look at it again
          </Button>
        </div>
      ) : null}
      {data ? <Facts profile={data} type={column.type} /> : null}
    </section>
  )
}

function Facts({ profile, type }: { readonly profile: Profile; readonly type: string }) {
  const { rows, nulls, distinct, exact, low, high, histogram, top } = profile
  const filled = rows - nulls
  return (
    <>
      <dl className={css.facts}>
        <Fact name="Rows">{formatCount(rows)}</Fact>
        <Fact name="Nulls">
          {formatCount(nulls)} <span className={css.faint}>{share(nulls, rows)}</span>
        </Fact>
        <Fact name="Different values">{`${exact ? '' : 'about '}${formatCount(distinct)}`}</Fact>
        {low === null || low === undefined ? null : <Fact name="Smallest">{cellText(valueText(low) ?? '')}</Fact>}
        {high === null || high === undefined ? null : <Fact name="Largest">{cellText(valueText(high) ?? '')}</Fact>}
      </dl>
      {filled === 0 ? <p className={css.faint}>It has no values at all.</p> : null}
      {histogram ? <Bars histogram={histogram} type={type} /> : null}
      {top ? <Top values={top} filled={filled} all={distinct} /> : null}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function share(part: number, whole: number): string {
  if (whole === 0) return ''
  const percent = (part / whole) * 100
  if (percent === 0 || percent === 100) return `${percent} %`
  return percent < 0.1 ? '<0.1 %' : percent > 99.9 ? '>99.9 %' : `${percent.toFixed(1)} %`
}

/** A histogram of the values. */
function Bars({ histogram, type }: { readonly histogram: Histogram; readonly type: string }) {
  const { bins, low, high } = histogram
  const most = Math.max(...bins, 1)
  const width = (high - low) / bins.length
  const label = (value: number): string => mark(value, type)
  return (
    <figure className={css.figure}>
      <figcaption>How they’re spread</figcaption>
      <ol className={css.bars}>
        {bins.map((n, i) => {
          const words = `${label(low + i * width)} to ${label(low + (i + 1) * width)}: ${formatCount(n)}`
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a bin is its place
            <li key={i} title={words}>
              <span style={{ height: n === 0 ? 0 : `${Math.max(2, (n / most) * 100)}%` }} />
              <span className="visually-hidden">{words}</span>
            </li>
          )
        })}
      </ol>
      <p className={css.axis} aria-hidden>
        <span>{label(low)}</span>
        <span>{label(high)}</span>
      </p>
    </figure>
  )
}

/** A label on the axis: for dates and times, `value` is in seconds. */
function mark(value: number, type: string): string {
  if (type === 'DATE') return new Date(value * 1000).toISOString().slice(0, 10)
  if (type.startsWith('TIMESTAMP')) return new Date(value * 1000).toISOString().slice(0, 16).replace('T', ' ')
  if (type.startsWith('TIME')) return new Date(value * 1000).toISOString().slice(11, 19)
  return String(Number(value.toPrecision(6)))
}

function Top({
  values,
  filled,
  all,
}: {
  readonly values: NonNullable<Profile['top']>
  readonly filled: number
  readonly all: number
}) {
  const most = values[0]?.count ?? 1
  return (
    <figure className={css.figure}>
      <figcaption>{all > values.length ? 'The most frequent' : 'All values'}</figcaption>
      <ol className={css.top}>
        {values.map(({ value, count }) => (
          <li key={value}>
            <span className={css.bar} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
            <span className={css.value} title={value}>
              {value === '' ? <em>empty</em> : cellText(value)}
            </span>
            <span className={css.times}>
              {formatCount(count)} <span className={css.faint}>{share(count, filled)}</span>
            </span>
          </li>
        ))}
      </ol>
    </figure>
  )
}
