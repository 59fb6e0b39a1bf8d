/** An object as returned by `JSON.parse`. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a parsed value is an object: neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Like `JSON.stringify`, but keeps -0, which that writes as 0. */
export function jsonOf(value: unknown): string {
  if (!holdsNegativeZero(value)) return JSON.stringify(value)
  // Random, so that no text contains it.
  const mark = crypto.randomUUID()
  const text = JSON.stringify(value, (_, own: unknown) => (Object.is(own, -0) ? mark : own))
  return text.replaceAll(`"${mark}"`, '-0.0')
}

function holdsNegativeZero(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0)
  return Array.isArray(value) ? value.some(holdsNegativeZero) : Object.values(value).some(holdsNegativeZero)
}
