import { duckdb, formatDialect } from 'sql-formatter'

/** The formatter's own layout: two spaces, words as they're written. */
export function layout(text: string): string {
  return formatDialect(text, { dialect: duckdb, tabWidth: 2, linesBetweenQueries: 1, expressionWidth: 80 })
}
