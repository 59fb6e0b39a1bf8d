import path from 'node:path'
import { glob } from 'tinyglobby'
import { exists } from '../engine/files.ts'
import { Failed } from './io.ts'

/** A path to show to people: relative to the current folder unless it's outside. */
export function shownPath(at: string, folder: string): string {
  const relative = path.relative(folder, at)
  return relative.startsWith('..') ? at : relative
}

const WILD = /[*?[\]{}]/
/** Such as `https://` or `s3://`. */
const ADDRESS = /^[a-z][a-z\d+.-]+:\/\//i

/**
 * The files that arguments name, in order, without duplicates. An argument that isn't a file may be a pattern: `*` and
 * `?` within a name, `**` for folders, `[a-z]`, `{csv,tsv}`. The files that a pattern matches are sorted by name.
 * @param folder the base of relative paths
 * @throws {Failed} for a pattern that matches nothing, and for an address
 */
export async function filesNamed(args: readonly string[], folder: string): Promise<string[]> {
  const found = new Set<string>()
  for (const argument of args) {
    if (ADDRESS.test(argument)) {
      throw new Failed(
        'not-found',
        `“${argument}” is an address, and nothing is fetched here.`,
        'Download it first, and name the file.',
      )
    }
    if (!WILD.test(argument) || (await exists(path.resolve(folder, argument)))) {
      found.add(argument)
      continue
    }
    const pattern = argument.replaceAll(/[\\/]+/g, '/')
    const options = { cwd: folder, absolute: path.isAbsolute(pattern), expandDirectories: false }
    const files = await glob(pattern, options)
    if (files.length === 0) {
      throw new Failed('not-found', `No file matches “${argument}”.`, `Check the pattern. It starts from ${folder}.`)
    }
    for (const file of files.sort((a, b) => (a < b ? -1 : 1))) found.add(file)
  }
  return [...found]
}
