/* Node can't fetch an asset's URL, so it's read from the disk. */

/** Whether this is Node: a page's worker has no `process`. */
export function inNode(): boolean {
  return typeof process !== 'undefined' && typeof process.versions?.node === 'string'
}

/** The path of an asset, from the URL given by Vite: a file's in a build, or a path in the project in unit tests. */
export function pathOfAsset(address: string): string {
  if (!address.startsWith('file:')) return process.cwd() + address
  return process.getBuiltinModule('node:url').fileURLToPath(address)
}

/** Reads an asset, given by Vite's URL. */
export function bytesOfAsset(address: string): Promise<Uint8Array> {
  return process.getBuiltinModule('node:fs/promises').readFile(pathOfAsset(address))
}
