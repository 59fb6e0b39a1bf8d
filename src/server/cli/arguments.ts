import { parseArgs } from 'node:util'
import { FORMATS, TARGET_FORMATS, type FormatId } from '../../contract/formats.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { UsageError } from './io.ts'
import type { Target } from '../../tables/changes/changes.ts'

type Option = { readonly type: 'string' | 'boolean'; readonly short?: string }
export type Options = Readonly<Record<string, Option>>

export interface Parsed<O extends Options> {
  readonly values: { readonly [K in keyof O]?: O[K]['type'] extends 'string' ? string : boolean }
  readonly positionals: readonly string[]
}

/**
 * Parses the arguments after a command.
 * @param mayRepeat whether an option may be repeated, so that scripts can override it; its last value counts
 * @throws {UsageError}
 */
export function parseArguments<O extends Options>(args: readonly string[], options: O, mayRepeat = false): Parsed<O> {
  const { values, positionals, given } = parsed(args, options)
  const twice = mayRepeat ? undefined : given.find((name, i) => given.indexOf(name) < i)
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice. Give it once.`)
  const empty = Object.entries(values).find(([, value]) => value === '')
  if (empty) throw new UsageError(`--${empty[0]} is empty. Give it a value, or leave it out.`)
  if (positionals.includes('')) throw new UsageError('An argument is empty. Give it a value, or leave it out.')
  if (positionals.includes('-')) {
    throw new UsageError('Standard input (-) can’t be read, as files are read more than once. Save it as a file first.')
  }
  return { values, positionals }
}

/** `given` has the names of options with a value, in order, with duplicates. */
function parsed<O extends Options>(args: readonly string[], options: O): Parsed<O> & { readonly given: string[] } {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    })
    const given = tokens.flatMap((token) => (token.kind === 'option' && token.value !== undefined ? [token.name] : []))
    return { values, positionals, given }
  } catch (error) {
    throw new UsageError(wordsOf(error), { cause: error })
  }
}

/** Node's own messages are long, with advice for programmers. */
function wordsOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  const option = /'([^']+)'/.exec(message)?.[1]?.replace(/^-\w, /, '')
  const [name = ''] = (option ?? '').split(' ')
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const mayBeFile = name.startsWith('--') ? '' : ' A file’s name that begins with “-” stands after “--”.'
    return `There is no option ${name}.${mayBeFile}`
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message
  return /does not take an argument/.test(message) ? `${name} takes no value.` : `${name} needs a value.`
}

/**
 * The target for the name of a format or an extension, such as `parquet` or `ndjson`.
 * @throws {UsageError}
 */
export function targetOf(name: string): Target {
  const lower = name.toLowerCase().replace(/^\./, '')
  const info = TARGET_FORMATS.find(({ id, extensions }) => id === lower || isOneOf(extensions, lower))
  if (!info || lower === 'txt') {
    const names = TARGET_FORMATS.map(({ id }) => id).join(', ')
    throw new UsageError(`Files can’t be converted to “${name}”. Choose one of: ${names}, ndjson.`)
  }
  const options = defaultOptions(info.id)
  const lines = options.kind === 'json' && lower !== 'json'
  return { target: info.id, options: lines ? { ...options, layout: 'lines' } : options }
}

/**
 * The format to read for a name or an extension.
 * @throws {UsageError}
 */
export function sourceFormatOf(name: string): FormatId {
  const lower = name.toLowerCase().replace(/^\./, '')
  const info = FORMATS.find(({ id, extensions }) => id === lower || isOneOf(extensions, lower))
  if (info) return info.id
  throw new UsageError(
    `“${name}” isn’t a format that can be read. Choose one of: ${FORMATS.map(({ id }) => id).join(', ')}.`,
  )
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name)
