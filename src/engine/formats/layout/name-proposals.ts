import type { ColumnFlag, Note, Proposal } from '../../../tables/plan.ts'

/**
 * Proposes to leave out columns without a name or values, which spreadsheets often write.
 * @param source its name in the file; null for formats without column names
 */
export function blankColumnProposals(source: string | null, flags: readonly ColumnFlag[]): Proposal[] {
  if (source === null || source.trim() !== '' || !flags.includes('empty')) return []
  const message = 'The column has neither a name nor a value: a blank column of a spreadsheet, most likely.'
  const change = { kind: 'column', patch: { include: false } } as const
  return [{ code: 'blank-column', label: 'Apply: leave out the blank column', message, change }]
}

/** The note and the proposal for a name with surrounding spaces. */
export function spacedName(name: string): { readonly note: Note; readonly proposal: Proposal } | null {
  const bare = name.trim()
  if (bare === name || bare === '') return null
  const message = 'The name has spaces around it in the file, and keeps them unless you rename the column.'
  return {
    note: { code: 'header-spaces', message, column: name },
    proposal: {
      code: 'header-spaces',
      label: `Apply: the name “${bare}”`,
      message: `The name “${name}” would lose the spaces around it.`,
      example: { from: name, to: bare },
      change: { kind: 'column', patch: { name: bare } },
    },
  }
}

/**
 * Proposes to drop a `#` that some programs put before the header, as before a comment: `#id,name` or `#Date;#Amount`.
 * “# of items” may be a real name.
 */
export function markedNameProposals(names: readonly string[], index: number): Proposal[] {
  const bareOf = (name: string): string | undefined => /^#+\s*(\p{L}[^]*)$/u.exec(name)?.[1]
  const name = names[index] ?? ''
  const own = bareOf(name)
  if (own === undefined || names.includes(own)) return []
  const isEach = names.length > 1 && names.every((each) => bareOf(each) !== undefined)
  if (index > 0 && !isEach) return []
  return [
    {
      code: 'header-mark',
      label: `Apply: the name “${own}”`,
      message: `${isEach ? 'All names begin' : 'The header begins'} with “#”, as remarks do. The name would be “${own}” without it.`,
      example: { from: name, to: own },
      ...(isEach || !/^#+\s/.test(name) ? {} : { ambiguous: true }),
      change: { kind: 'column', patch: { name: own } },
    },
  ]
}
