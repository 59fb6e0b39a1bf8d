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
