import { KIND } from './scanner.ts'

export function isText(kind: number): boolean {
  return kind === KIND.string || kind === KIND.escaped
}
