/** Calls a Node function without its warning about being experimental, which is of no use to server operators. */
export function withoutWarnings<T>(call: () => T): T {
  const kept: { readonly emitWarning: unknown } = process
  const { emitWarning } = kept
  Object.assign(process, { emitWarning: () => undefined })
  try {
    return call()
  } finally {
    Object.assign(process, { emitWarning })
  }
}
