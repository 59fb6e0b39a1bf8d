import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/**
 * Writes a package.json and a lock file beside a build, so that `npm ci` there installs exactly what the build needs,
 * in the project's versions.
 * @param names packages that the build imports
 */
export function packageOf(root: string, names: readonly string[]): Plugin {
  return {
    name: 'rowhouse-package',
    generateBundle() {
      const read = (file: string): unknown => JSON.parse(readFileSync(`${root}/${file}`, 'utf8'))
      const { name, version, license } = read('package.json') as Readonly<Record<string, string>>
      const lock = read('package-lock.json') as Lock
      const dependencies = Object.fromEntries(names.map((each) => [each, versionOf(lock, each)]))
      const made = { name, version, license, type: 'module', bin: { rowhouse: 'rowhouse.js' }, dependencies }
      const packages = { '': { ...made, type: undefined }, ...needed(lock, names) }
      const files = {
        'package.json': { ...made, private: true },
        'package-lock.json': { name, version, lockfileVersion: lock.lockfileVersion, requires: true, packages },
      }
      for (const [fileName, value] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(value, null, 2)}\n` })
      }
    },
  }
}

function versionOf({ packages }: Lock, name: string): string {
  const version = packages[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`package-lock.json lacks ${name}`)
  return version
}

/** The packages in a lock file that some packages need, including themselves. */
export function needed({ packages }: Lock, names: readonly string[]): Record<string, LockedPackage> {
  const found = new Map<string, LockedPackage>()
  const visit = (from: string, name: string): void => {
    const place = placeOf(packages, from, name)
    // Optional packages may be missing.
    if (place === null || found.has(place)) return
    const { dev: _, ...entry } = packages[place] ?? {}
    found.set(place, entry)
    for (const each of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) visit(place, each)
  }
  for (const name of names) visit('', name)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Resolves a package as Node does: beside the requesting one, or beside one of its parents. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | null {
  const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (place in packages) return place
  if (from === '') return null
  return placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}
