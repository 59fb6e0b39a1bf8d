import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import ListFilter from 'lucide-react/icons/list-filter'
import type { ColumnStats, ResultColumn } from '../../../../engine/client.ts'
import { shortType } from '../../../../tables/labels.ts'
import { formatCount } from '../../../../ui/format.ts'
import css from './ColumnHead.module.css'

interface Props {
  readonly column: ResultColumn
  readonly sort: 'ascending' | 'descending' | null
  readonly filtered: boolean
  readonly stats: ColumnStats | null
}

/** A column's name and type, with its statistics in brief. */
export function ColumnHead({ column, sort, filtered, stats }: Props) {
  return (
    <>
      <span className={css.top}>
        <span className={css.name} data-grid-press="" title={column.name}>
          {column.name === '' ? <i>no name</i> : column.name}
        </span>
        {sort === 'ascending' ? <ArrowUp className={css.sign} aria-hidden /> : null}
        {sort === 'descending' ? <ArrowDown className={css.sign} aria-hidden /> : null}
        {filtered ? <ListFilter className={css.sign} aria-hidden /> : null}
        <span className={css.menu} data-grid-menu="" title="Column menu (Alt+↓)" aria-hidden>
          <EllipsisVertical />
        </span>
      </span>
      <span className={css.type} title={column.type}>
        {shortType(column.type)}
      </span>
      <span className={css.stats}>{stats ? <Summary stats={stats} /> : null}</span>
    </>
  )
}

function Summary({ stats }: { readonly stats: ColumnStats }) {
  const { rows, nulls, histogram, top } = stats
  return (
    <>
      {histogram ? <Bars bins={histogram} words={rangeWords(stats)} /> : null}
      {!histogram && top && nulls < rows ? <Top stats={stats} /> : null}
      {nulls === 0 ? (
        <span className="visually-hidden">no nulls</span>
      ) : (
        <span className={css.nulls} title={`${formatCount(nulls)} of ${formatCount(rows)} are NULL`}>
          {share(nulls, rows)} null
        </span>
      )}
    </>
  )
}

/** A percentage, which never rounds to 0 or 100. */
function share(part: number, whole: number): string {
  const percent = (100 * part) / Math.max(1, whole)
  if (part > 0 && percent < 1) return '<1 %'
  if (part < whole && percent > 99) return '>99 %'
  return `${Math.round(percent)} %`
}

function rangeWords({ min, max, distinct }: ColumnStats): string {
  const range = min === null || max === null ? '' : `${min} to ${max}`
  return distinct ? `${range}, ${distinctWords(distinct)}` : range
}

function distinctWords({ count, exact }: { readonly count: number; readonly exact: boolean }): string {
  return `${exact ? '' : 'about '}${formatCount(count)} different`
}

function Bars({ bins, words }: { readonly bins: readonly number[]; readonly words: string }) {
  const most = Math.max(1, ...bins)
  const path = bins
    .map((count, i) => {
      // Every nonzero bin stays visible.
      const height = count === 0 ? 0 : Math.max(1.5, (count / most) * 16)
      return height === 0 ? '' : `M${i * 3} 16h2.2v${-height}h-2.2z`
    })
    .join('')
  return (
    <svg className={css.bars} viewBox="0 0 60 16" preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      <path d={path} />
    </svg>
  )
}

function Top({ stats: { rows, nulls, top, distinct } }: { readonly stats: ColumnStats }) {
  const [first] = top?.values ?? []
  if (!first || !top) return null
  const filled = rows - nulls
  const words = [
    ...top.values.map(({ text, count }) => `${text === '' ? 'empty text' : text}: ${share(count, filled)}`),
    distinct ? distinctWords(distinct) : '',
    top.exact ? '' : 'counted among the first different values',
  ]
  // If all values are different, the most frequent one is of no interest.
  const text = first.count === 1 && filled > 1 ? (distinct ? distinctWords(distinct) : '') : first.text
  return (
    <span className={css.topValue} title={words.filter(Boolean).join('\n')}>
      <span className={css.fill} style={{ width: `${(100 * first.count) / Math.max(1, filled)}%` }} aria-hidden />
      <span className={css.topText}>{text === '' ? 'empty' : text}</span>
    </span>
  )
}
