import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** What the last build put there. */
const LIST = '.rowhouse-build.json'

/** Removes what the last build left behind, and nothing else: the folder may be one that somebody keeps other things in. */
export function ownFiles(): Plugin {
  return {
    name: 'rowhouse-own-files',
    writeBundle: ({ dir = '' }, bundle) => replaceOwn(dir, Object.keys(bundle)),
  }
}

/** @param made the files of a build, by their paths in its folder */
export function replaceOwn(dir: string, made: readonly string[]): void {
  const list = path.join(dir, LIST)
  const before = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : []
  const own = (name: string): boolean => path.join(dir, name).startsWith(path.join(dir, path.sep))
  for (const name of before) {
    if (own(name) && !made.includes(name)) rmSync(path.join(dir, name), { force: true })
  }
  mkdirSync(dir, { recursive: true })
  writeFileSync(list, JSON.stringify(made))
}
