import type { Inspection } from '../../../tables/plan.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { type Draft, type DraftFile, type DraftTable, EMPTY_DRAFT, readFile, unread } from './draft.ts'
import { PLAIN_CSV } from '../../../tables/settings.ts'

/* Drafts with one file, for tests. */

export const csvFound = (more: Partial<Inspection> = {}): Inspection => ({
  ...inspection(table([column('id', 'BIGINT'), column('zip')])),
  format: 'csv',
  settings: PLAIN_CSV,
  ...more,
})

export const reading = (id: string, file: File): DraftFile => unread(id, { file, plan: null, changed: false })

export function draftOf(file: File, found: Inspection, more: Partial<Draft> = {}): Draft {
  const draft = { ...EMPTY_DRAFT, name: 'Shop', files: [reading('f', file)], ...more }
  return readFile(draft, 'f', found, null)
}

export function only(draft: Draft): [DraftFile, DraftTable] {
  const [file] = draft.files
  const [first] = draft.tables
  if (!file || !first) throw new Error('nothing there')
  return [file, first]
}

export const file = (name: string, size = 10): File => {
  const made = new File(['x'], name)
  Object.defineProperty(made, 'size', { value: size })
  return made
}
