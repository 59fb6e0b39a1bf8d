import { KIND } from '../../columns/json/scanner.ts'

export function isText(kind: number): boolean {
  return kind === KIND.string || kind === KIND.escaped
}
