/** An object as `JSON.parse` gives it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a parsed value is an object: not an array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As `JSON.stringify`, which makes 0 of -0. */
export function jsonOf(value: unknown): string {
  if (!holdsNegativeZero(value)) return JSON.stringify(value)
  // No text has this in it by chance.
  const mark = crypto.randomUUID()
  const text = JSON.stringify(value, (_, own: unknown) => (Object.is(own, -0) ? mark : own))
  return text.replaceAll(`"${mark}"`, '-0.0')
}

function holdsNegativeZero(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0)
  return Array.isArray(value) ? value.some(holdsNegativeZero) : Object.values(value).some(holdsNegativeZero)
}
