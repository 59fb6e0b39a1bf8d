import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Lists the files of the last build. */
const LIST = '.rowhouse-build.json'

/** Removes only the files of the last build, since others may keep files in the same folder. */
export function ownFiles(): Plugin {
  return {
    name: 'rowhouse-own-files',
    writeBundle: ({ dir = '' }, bundle) => replaceOwn(dir, Object.keys(bundle)),
  }
}

/** @param made the build's files, by their paths in the folder */
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
