import { COMMA } from '../../../../lib/ascii.ts'
import type { ByteWriter } from '../../../../lib/bytes.ts'
import type { JsonDocument, JsonValue } from './document.ts'
import { KIND } from '../../../columns/json/scanner.ts'

/** Appends a value with a line for each member and item: `json_pretty`. */
export function prettyPrint(document: JsonDocument, value: JsonValue, out: ByteWriter, indent = '\n'): void {
  const members = Array.from(document.members(value))
  if (members.length === 0) {
    document.print(value, out)
    return
  }
  const object = value.kind === KIND.object
  out.byte(object ? 0x7b : 0x5b)
  for (const [i, { key, value: child }] of members.entries()) {
    if (i > 0) out.byte(COMMA)
    out.text(`${indent}    `)
    if (key) {
      document.print(key, out)
      out.text(': ')
    }
    prettyPrint(document, child, out, `${indent}    `)
  }
  out.text(indent)
  out.byte(object ? 0x7d : 0x5d)
}
