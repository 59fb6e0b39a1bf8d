import { MAX_FILE_BYTES, MAX_TABLES } from '../../../contract/limits.ts'
import { planProblems } from '../../../tables/edits.ts'
import { ontoOf, ontoProblem, unaskedRepeat } from './adding.ts'
import { type Draft, type DraftTable, fileOf, publicationOf, rejectedOf } from './draft.ts'
import { foldName, nameProblem } from './names.ts'

/* What is missing before a draft can be published. */

/** What is missing before a table can be published; empty if it's ready. */
export function tableProblems(draft: Draft, table: DraftTable): string[] {
  const file = fileOf(draft, table)
  if (!file || file.state.kind !== 'read') return []
  const { plan } = file.state
  const planned = plan.tables[table.index]
  const problems = planned ? planProblems({ ...plan, tables: [{ ...planned, name: null, include: true }] }) : []
  const { measure } = table
  const publication = publicationOf(file, table)
  if (publication?.how === 'parquet' && publication.because === 'size') {
    if (measure.kind === 'none') problems.push('The file exceeds the service’s limit of 50 MB.')
    if (measure.kind === 'measuring') problems.push('It’s still being measured as Parquet.')
  }
  if (measure.kind === 'measured' && measure.bytes > MAX_FILE_BYTES) {
    problems.push('As Parquet it exceeds the service’s limit of 50 MB, too. Leave out columns, or split the file.')
  }
  if (rejectedOf(file, table) && !table.agreed)
    problems.push('Some rows don’t fit: say whether to publish without them.')
  const apart = ontoProblem(draft, table)
  if (apart) problems.push(apart)
  return problems
}

/** What is wrong with tables' names, by id. */
export function nameProblems(draft: Pick<Draft, 'into' | 'files' | 'tables'>): ReadonlyMap<string, string> {
  const problems = new Map<string, string>()
  const there = new Set(draft.into?.tables.map(({ name }) => foldName(name)))
  const seen = new Set<string>()
  for (const table of draft.tables) {
    const onto = ontoOf(draft, table)
    const name = foldName(onto ?? table.name)
    const said = onto === null ? nameProblem(table.name) : null
    if (said) problems.set(table.id, said)
    else if (onto === null && there.has(name)) problems.set(table.id, 'The dataset has a table of this name.')
    else if (seen.has(name)) {
      const twice = `Another file adds rows to “${onto ?? ''}”. Combine them in Convert, or add one after the other.`
      problems.set(table.id, onto === null ? 'Another table has this name.' : twice)
    }
    seen.add(name)
  }
  return problems
}

/** Why the dataset can't be created yet: the first reason; null if it can. */
export function draftProblem(draft: Draft): string | null {
  if (draft.files.length === 0) return 'Add at least one file.'
  if (draft.files.some((file) => file.state.kind === 'reading')) return 'A file is still being read.'
  const unread = draft.files.find(
    ({ id, state }) => state.kind === 'failed' && draft.tables.some(({ fileId }) => fileId === id),
  )
  if (unread) return `“${unread.file.name}” can’t be read like this: change that, or remove it.`
  if (draft.tables.length === 0) return 'None of the files can be published: add another.'
  const made = draft.tables.filter((table) => ontoOf(draft, table) === null).length
  if (made + (draft.into?.tables.length ?? 0) > MAX_TABLES) return 'A dataset has at most 100 tables: leave some out.'
  const misnamed = draft.tables.filter(({ id }) => nameProblems(draft).has(id))
  if (misnamed.some((table) => ontoOf(draft, table) === null)) return 'A table needs another name.'
  if (misnamed.length > 0) return 'Two files add rows to one table: leave one out, or add it later.'
  const repeated = unaskedRepeat(draft)
  if (repeated) return `Choose whether to add “${repeated.file.name}” again.`
  const table = draft.tables.find((candidate) => tableProblems(draft, candidate).length > 0)
  if (table) return `Review “${ontoOf(draft, table) ?? table.name}” first.`
  return draft.into ? null : nameProblem(draft.name)
}
