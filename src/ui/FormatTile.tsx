import css from './FormatTile.module.css'

/** Abbreviations of formats' ids, for there's room for four letters. */
const SHORT: Readonly<Record<string, string>> = { parquet: 'PQ', arrow: 'ARW', duckdb: 'DB', sqlite: 'DB' }

/** The front of a house in the format's color. Pass null if the format isn't known. */
export function FormatTile({ format, small = false }: { readonly format: string | null; readonly small?: boolean }) {
  return (
    <span className={css.tile} data-format={format ?? 'none'} data-small={small} aria-hidden>
      {format ? (SHORT[format] ?? format.toUpperCase()) : '···'}
    </span>
  )
}
