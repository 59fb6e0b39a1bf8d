import type { DecodedNames } from '../../tables/encodings.ts'
import { weighBytes } from './encoding.ts'
import { makeTranscoder } from './transcode.ts'

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
  return { names: names.map((name) => textOf(name, encoding)), encoding, isGuess: doubt }
}

function textOf(bytes: Uint8Array, encoding: string): string {
  const transcoder = makeTranscoder(encoding)
  const decoder = new TextDecoder()
  return decoder.decode(transcoder.push(bytes), { stream: true }) + decoder.decode(transcoder.end())
}
