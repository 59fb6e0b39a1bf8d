import { KEPT } from '../kept/place.ts'
import { wordsOf, type Statement } from '../statement.ts'
import type { Change } from './changes.ts'
import { refused } from './refusals.ts'

/**
 * Refuses what can't be created in the schema of persistent tables.
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardKept({ kind, schema, verb, name }: Change, { tokens }: Statement): void {
  if (schema !== KEPT) return
  const word = wordsOf(tokens)
  if (kind === 'index')
    throw refused(
      'An index on a table in my wouldn’t stay.',
      'Say PRIMARY KEY or UNIQUE where the table is made: those stay.',
    )
  if (kind !== 'table')
    throw refused(
      `Only tables stay in my: a ${kind} is gone when this tab closes.`,
      verb === 'create' ? `Make it for this tab alone: leave out “my.” before ${name}.` : 'Name a table.',
    )
  const temporary = verb === 'create' ? tokens.findIndex((_, i) => i < 4 && /^temp(?:orary)?$/.test(word(i))) : -1
  if (temporary > 0)
    throw refused(
      'A table in my stays, so it isn’t temporary.',
      `Leave out ${tokens[temporary].text.toUpperCase()}, or “my.” before ${name}.`,
    )
  if (verb === 'comment')
    throw refused(
      'Comments on tables in my don’t stay.',
      'Write the comment down in a column or in a table of its own.',
    )
}
