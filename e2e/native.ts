export { nativeRows, nativeText, nativeTypes } from '../src/engine/testing/oracle.ts'

/** A path or text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
