/* What the engine does otherwise in Node, where an asset's address can't be fetched. */

/** Whether this is Node: a page's worker has no `process`. */
export function inNode(): boolean {
  return typeof process !== 'undefined' && typeof process.versions?.node === 'string'
}

/** Where an asset lies, by the address that Vite gives it: of a build a file's, of unit tests a path in the project. */
export function pathOfAsset(address: string): string {
  if (!address.startsWith('file:')) return process.cwd() + address
  return process.getBuiltinModule('node:url').fileURLToPath(address)
}

/** An asset's bytes, by the address that Vite gives it. */
export function bytesOfAsset(address: string): Promise<Uint8Array> {
  return process.getBuiltinModule('node:fs/promises').readFile(pathOfAsset(address))
}
