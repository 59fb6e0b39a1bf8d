import { makeTranscoder } from './transcode.ts'
import { textOf } from './utf8.ts'
import { weighBytes } from './weigh.ts'

/** File names that weren't Unicode, as they're read. */
interface DecodedNames {
  readonly names: readonly string[]
  readonly encoding: string
  /** Whether it could be another one just as well. */
  readonly isGuess: boolean
}

/** What archives are in by their specification. */
const USUAL = 'ibm437'

/** File names that one program wrote, and that aren't Unicode, read in the encoding that they're most likely in together. */
export function decodeNames(names: readonly Uint8Array[]): DecodedNames {
  const lines = new Uint8Array(names.reduce((size, name) => size + name.length + 1, 0)).fill(10)
  let at = 0
  for (const name of names) {
    lines.set(name, at)
    at += name.length + 1
  }
  const { candidates, doubt } = weighBytes(lines)
  const encoding = candidates.find((each) => !each.encoding.startsWith('utf-'))?.encoding ?? USUAL
  return { names: names.map((name) => textOf(name, makeTranscoder(encoding))), encoding, isGuess: doubt }
}
