/** Runs a call of Node's that warns of itself as experimental, which tells whoever runs a server nothing. */
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
