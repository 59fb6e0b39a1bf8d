/** Wraps what was thrown in an error, unless it is one. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
