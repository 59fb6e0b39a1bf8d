import { formatInfo } from '../../../contract/formats.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../ui/format.ts'
import type { Job } from '../model/job.ts'
import { settingsWords } from '../../../tables/words.ts'
import css from './Card.module.css'

/** What a file is, in one line. */
export function CardMeta({ job }: { readonly job: Job }) {
  return (
    <p className={css.meta}>
      {metaOf(job).map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  )
}

function metaOf({ file, inspection }: Job): string[] {
  const size = formatBytes(file.size)
  if (!inspection) return [size]
  const { tables } = inspection
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const words = [formatInfo(inspection.format).displayName, ...settingsWords(inspection.settings), size]
  if (tables.length > 1) words.push(`${tables.length} sheets`)
  words.push(plural(rows, 'row'))
  const [only] = tables
  if (only && tables.length === 1) words.push(plural(only.columns.length, 'column'))
  return [...new Set(words)]
}
