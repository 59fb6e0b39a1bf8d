import { COLON, COMMA } from '../../../../lib/ascii.ts'
import type { ByteWriter } from '../../../../lib/bytes.ts'
import { KIND } from '../../../columns/json/scanner.ts'
import { membersOf } from './contains.ts'
import { type JsonDocument, type JsonValue, printText } from './document.ts'

/**
 * Appends a value with a patch applied (RFC 7396). As in DuckDB, a patch of what is no object stands as it is, its nulls
 * included.
 */
export function mergePatch(
  target: JsonDocument,
  value: JsonValue,
  by: JsonDocument,
  patch: JsonValue,
  out: ByteWriter,
): void {
  if (value.kind === KIND.object && patch.kind === KIND.object) mergeObjects(target, value, by, patch, out)
  else by.print(patch, out)
}

/** @param value null, or no object: all of the patch is new */
function mergeObjects(
  target: JsonDocument,
  value: JsonValue | null,
  by: JsonDocument,
  patch: JsonValue,
  out: ByteWriter,
): void {
  if (patch.kind !== KIND.object) {
    by.print(patch, out)
    return
  }
  const changes = membersOf(by, patch)
  const own = value?.kind === KIND.object ? membersOf(target, value) : new Map<string, JsonValue>()
  let first = true
  const begin = (name: string): void => {
    if (!first) out.byte(COMMA)
    first = false
    printText(name, out)
    out.byte(COLON)
  }
  out.byte(0x7b)
  for (const [name, kept] of own) {
    if (changes.has(name)) continue
    begin(name)
    target.print(kept, out)
  }
  for (const [name, change] of changes) {
    if (change.kind === KIND.null) continue
    begin(name)
    mergeObjects(target, own.get(name) ?? null, by, change, out)
  }
  out.byte(0x7d)
}
