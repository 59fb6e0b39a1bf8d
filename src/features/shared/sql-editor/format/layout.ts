import { duckdb, formatDialect } from 'sql-formatter'

/** The formatter's layout: indents by two spaces, and keeps the case of words. */
export function layout(text: string): string {
  return formatDialect(text, { dialect: duckdb, tabWidth: 2, linesBetweenQueries: 1, expressionWidth: 80 })
}
