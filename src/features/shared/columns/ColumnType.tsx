import { shortType } from '../../../tables/labels.ts'
import { typeName } from '../../../tables/type-names.ts'
import css from './ColumnType.module.css'

/** A column's type in everyday words, followed by its SQL name in small print. */
export function ColumnType({ type }: { readonly type: string }) {
  const name = typeName(type)
  return (
    <span className={css.type} title={type}>
      {name === type ? null : <span className={css.words}>{name} </span>}
      <span>{shortType(type)}</span>
    </span>
  )
}

/** Its width in a column header, in characters of a value. Long types are cut. */
export function typeLength(type: string): number {
  const name = typeName(type)
  return Math.min((name === type ? 0 : name.length + 1) + shortType(type).length, 24) * 0.85
}
