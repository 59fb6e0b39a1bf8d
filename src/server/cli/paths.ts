import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from './io.ts'

const WILD = /[*?[\]{}]/

/**
 * The files that arguments name, in their order, each once. One that isn't a file may be a pattern: `*` and `?` within a
 * name, `**` for folders, `[a-z]`, `{csv,tsv}`. What a pattern finds is in the order of the names.
 * @param folder that they're told from
 * @throws {Failed} for a pattern that finds nothing
 */
export async function filesNamed(args: readonly string[], folder: string): Promise<string[]> {
  const found = new Set<string>()
  for (const argument of args) {
    const isThere = await stat(path.resolve(folder, argument)).then(
      () => true,
      () => false,
    )
    if (isThere || !WILD.test(argument)) found.add(argument)
    else {
      const files = await matching(argument, folder)
      if (files.length === 0) {
        const remedy = `Check the pattern, which is told from ${folder}.`
        throw new Failed('not-found', `No file matches “${argument}”.`, remedy)
      }
      for (const file of files) found.add(file)
    }
  }
  return [...found]
}

async function matching(pattern: string, folder: string): Promise<string[]> {
  const parts = pattern.split(/[/\\]/)
  const firstWild = parts.findIndex((part) => WILD.test(part))
  const base = parts.slice(0, firstWild).join('/')
  const root = base === '' && pattern.startsWith('/') ? '/' : base
  const rest = parts.slice(firstWild)
  const isDeep = rest.some((part) => part === '**')
  const matches = expressionOf(rest.join('/'))
  const depth = isDeep ? Infinity : rest.length
  const names = await filesBelow(
    path.resolve(folder, root),
    depth,
    rest.some((part) => part.startsWith('.')),
  )
  return names
    .filter((name) => matches.test(name))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => (root === '' ? name : root === '/' ? `/${name}` : `${root}/${name}`))
}

/** Paths of files below a folder, with `/` between their parts. Hidden ones are left out unless they're asked for. */
async function filesBelow(folder: string, depth: number, hidden: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    if (entry.name.startsWith('.') && !hidden) continue
    if (entry.isDirectory()) {
      if (depth <= 1) continue
      const below = await filesBelow(path.join(folder, entry.name), depth - 1, hidden)
      found.push(...below.map((name) => `${entry.name}/${name}`))
    } else if (entry.isFile() || entry.isSymbolicLink()) found.push(entry.name)
  }
  return found
}

/** A pattern as a regular expression over paths. */
export function expressionOf(pattern: string): RegExp {
  let source = ''
  let braces = 0
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (pattern.startsWith('**/', at)) {
      source += '(?:.*/)?'
      at += 2
    } else if (pattern.startsWith('**', at)) {
      source += '.*'
      at++
    } else if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '[' && pattern.indexOf(']', at + 2) > 0) {
      const end = pattern.indexOf(']', at + 2)
      source += `[${pattern
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')
        .replaceAll('[', '\\[')}]`
      at = end
    } else if (char === '{' && pattern.indexOf('}', at) > 0) {
      source += '(?:'
      braces++
    } else if (char === '}' && braces > 0) {
      source += ')'
      braces--
    } else if (char === ',' && braces > 0) source += '|'
    else source += char.replace(/[\\^$.|+()[\]{}*?]/g, '\\$&')
  }
  return new RegExp(`^${source}${')'.repeat(braces)}$`, 'u')
}
