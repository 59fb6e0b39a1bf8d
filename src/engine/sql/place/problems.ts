import { plural } from '../../../lib/counts.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import type { Column } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { PlacedFile } from './placed-file.ts'

/** @throws {EngineError} `file-changed` if the number of rows isn't what the file stated */
export function assertWhole({ rows, file }: PlacedFile, found: number): void {
  if (rows === found) return
  throw new EngineError(
    'file-changed',
    `“${file.name}” has ${plural(found, 'row')} now; it had ${rows} a moment ago.`,
    {
      remedy: 'Remove the table, and add the file again.',
    },
  )
}

/** The error if the rows that a statement needs at once don't fit in memory. */
export function tooLarge({ file }: PlacedFile, columns: ReadonlyMap<number, Column>, budget: number): EngineError {
  const names = Array.from(columns.values(), ({ name }) => `“${name}”`)
  const [few, more] = [names.slice(0, 3).join(', '), names.length - 3]
  return new EngineError(
    'out-of-memory',
    `The statement needs all rows of ${few}${more > 0 ? ` and ${more} more columns` : ''}: “${file.name}” is read where it lies, and that’s more than the ${formatBytes(budget)} that fit in memory.`,
    { remedy: 'Name fewer columns, or copy the table into this browser: its menu in the list of tables does that.' },
  )
}
