import css from './FormatTile.module.css'

const SHORT: Readonly<Record<string, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  json: 'JSON',
  xlsx: 'XLSX',
  parquet: 'PQ',
  arrow: 'ARW',
}

/** The front of a house in the format's color. Pass null if the format isn't known. */
export function FormatTile({ format, small = false }: { readonly format: string | null; readonly small?: boolean }) {
  return (
    <span className={css.tile} data-format={format ?? 'none'} data-small={small} aria-hidden>
      {format ? (SHORT[format] ?? format.slice(0, 4).toUpperCase()) : '···'}
    </span>
  )
}
