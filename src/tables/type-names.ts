/* Types in everyday words. */

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['VARCHAR', 'Text'],
  ['BOOLEAN', 'True or false'],
  ['INTEGER', 'Whole number'],
  ['BIGINT', 'Whole number, long'],
  ['UBIGINT', 'Whole number, long, none negative'],
  ['HUGEINT', 'Whole number, up to 38 digits'],
  ['DOUBLE', 'Number'],
  ['DATE', 'Date'],
  ['TIME', 'Time'],
  ['TIMESTAMP', 'Date and time'],
  ['TIMESTAMP_NS', 'Date and time, nanoseconds'],
  ['TIMESTAMP WITH TIME ZONE', 'Date and time with zone'],
  ['INTERVAL', 'Duration'],
  ['JSON', 'Values of any kind'],
])

const NESTED: ReadonlyMap<string, string> = new Map([
  ['STRUCT', 'Object'],
  ['MAP', 'Keys with values'],
])

/** A type in everyday words, or its own name if there are none. */
export function typeName(type: string): string {
  const scale = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return `Number with ${scale} ${scale === '1' ? 'decimal' : 'decimals'}`
  if (type.endsWith(']')) return 'List'
  return TYPE_NAMES.get(type) ?? NESTED.get(/^\w+/.exec(type)?.[0] ?? '') ?? type
}

/** Types in everyday words; with their own names if the words are the same. */
export function typeWords(types: readonly string[]): string[] {
  const names = types.map(typeName)
  return types.map((type, i) => {
    const name = names[i] ?? type
    return types.some((other, k) => other !== type && names[k] === name) ? `${name} (${type})` : name
  })
}

/** Whether a type in DuckDB's notation is nested. */
export const hasParts = (type: string): boolean => type.endsWith(']') || /^(STRUCT|MAP|UNION)\b/.test(type)
