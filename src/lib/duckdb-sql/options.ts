import type { Suggestion } from './suggestion.ts'

/* Options of functions that read files. */

const SWITCH = ['true', 'false']
const QUOTES = [`'"'`, `''''`, `''`]
const OF_ALL = { filename: SWITCH, union_by_name: SWITCH }

/** By what the function reads: its options, with their usual values. Others can be given too. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  csv: {
    header: SWITCH,
    delim: [`','`, `';'`, `'\\t'`, `'|'`],
    quote: QUOTES,
    escape: QUOTES,
    comment: [`'#'`],
    nullstr: [`''`, `'NA'`, `'NULL'`],
    encoding: [`'utf-8'`, `'latin-1'`, `'utf-16'`],
    skip: [],
    names: [],
    types: [],
    columns: [],
    ...OF_ALL,
  },
  json: { columns: [], ...OF_ALL },
  parquet: OF_ALL,
  xlsx: { sheet: [], header: SWITCH },
}

/** @param path the function's name, and the option's own where its value is expected */
export function optionSuggestions([name = '', option]: readonly string[]): readonly Suggestion[] {
  const kind = /csv|json|parquet|xlsx/.exec(name.toLowerCase().replace('ndjson', 'json'))?.[0] ?? ''
  const options = OPTIONS[kind] ?? {}
  const found = option === undefined ? Object.keys(options) : (options[option.toLowerCase()] ?? [])
  return found.map((label, index) => ({
    kind: 'part',
    label,
    text: option === undefined ? `${label} = ` : label,
    detail: '',
    rank: 50 - index,
  }))
}
