import type { CombineMember, CombineRecipe } from '../recipes/combined.ts'
import type { MatchChoices, Matching } from './match.ts'

/** A file of a combination. */
interface CombinedFile extends Omit<CombineMember, 'tables'> {
  /** Which of the inputs are its tables. */
  readonly inputs: readonly number[]
}

/**
 * What makes of files like these the same table again.
 * @param name the output's, where it isn't what the files' names have in common
 */
export function combineRecipeOf(
  { inputs, columns }: Matching,
  { fileColumn, rowColumn }: MatchChoices,
  files: readonly CombinedFile[],
  name?: string,
): CombineRecipe {
  const members = files.map(({ inputs: own, matches, request, edits }): CombineMember => {
    const tables = own.map((i) => ({
      table: inputs[i]?.table ?? null,
      columns: columns.flatMap(({ name: into, cells }) => {
        const cell = cells[i]
        return cell ? [{ source: cell.source, nth: cell.nth, into }] : []
      }),
    }))
    return { matches, request, edits, tables }
  })
  return {
    ...(name === undefined ? {} : { name }),
    members: [...new Map(members.map((member) => [JSON.stringify(member), member])).values()],
    columns: columns.map(({ name: called, type, include, expected, cells }) => {
      return { name: called, type, include, inAll: !cells.includes(null) && expected?.inAll !== false }
    }),
    fileColumn,
    rowColumn,
  }
}
