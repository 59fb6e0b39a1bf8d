import { MISSING, NULL, PLAIN, type Tokenizer } from './tokenizer.ts'

/** Takes the blanks around unquoted fields out of them. */
export function trimFields({ bytes, starts, ends, kinds, fieldCount }: Tokenizer): void {
  for (let field = 0; field < fieldCount; field++) {
    if (kinds[field] !== PLAIN) continue
    while (starts[field] < ends[field] && isBlank(bytes[starts[field]])) starts[field]++
    while (starts[field] < ends[field] && isBlank(bytes[ends[field] - 1])) ends[field]--
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 9

/** Whether there's nothing in some fields, one behind the other: not even quotes. */
export function areEmpty({ starts, ends, kinds }: Tokenizer, first: number, count: number): boolean {
  for (let field = first; field < first + count; field++) {
    const kind = kinds[field]
    if (kind !== MISSING && ((kind !== PLAIN && kind !== NULL) || starts[field] < ends[field])) return false
  }
  return true
}
