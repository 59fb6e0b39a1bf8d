import { formatCount } from '../../../../lib/counts.ts'
import type { FunctionInfo, KnownColumn, Signature } from '../../../../lib/duckdb-sql/index.ts'

/* Details about a name, beside completions and on hover. Inserted as text only, since names may contain anything. */

const MOST = 12

function element(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children)
  return made
}

export function functionInfo({ name, signatures, description, kind }: FunctionInfo): HTMLElement {
  const shown = signatures.slice(0, MOST).map((signature) => element('code', 'cm-sqlSignature', `${name}${signature}`))
  const more = signatures.length > MOST ? [element('p', 'cm-sqlNote', `and ${signatures.length - MOST} more`)] : []
  const text = description === '' ? [] : [element('p', 'cm-sqlText', description)]
  return element('div', 'cm-sqlInfo', element('p', 'cm-sqlNote', `${kind} function`), ...shown, ...more, ...text)
}

/** A table or similar: its place, number of rows, and columns. */
export function tableInfo(
  title: string,
  place: string,
  rows: number | null,
  columns: readonly KnownColumn[],
): HTMLElement {
  const facts = [place, rows === null ? '' : `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`]
  const list = element(
    'dl',
    'cm-sqlColumns',
    ...columns.slice(0, MOST).flatMap(({ name, type }) => [element('dt', '', name), element('dd', '', type ?? '')]),
  )
  const more = columns.length > MOST ? [element('p', 'cm-sqlNote', `and ${columns.length - MOST} more columns`)] : []
  return element(
    'div',
    'cm-sqlInfo',
    element('p', 'cm-sqlTitle', title),
    element('p', 'cm-sqlNote', facts.filter(Boolean).join(' · ')),
    ...(columns.length > 0 ? [list] : []),
    ...more,
  )
}

export function columnInfo(name: string, type: string | null, owner: string): HTMLElement {
  return element(
    'div',
    'cm-sqlInfo',
    element('p', 'cm-sqlTitle', name),
    ...(type === null ? [] : [element('code', 'cm-sqlSignature', type)]),
    ...(owner === '' ? [] : [element('p', 'cm-sqlNote', `column of ${owner}`)]),
  )
}

/** A call's parameters, with the current one marked. */
export function signatureInfo(
  name: string,
  { parameters, returns }: Signature,
  argument: number,
  others: number,
): HTMLElement {
  const active = Math.min(argument, parameters.length - 1)
  const parts = parameters.flatMap((parameter, index) => [
    ...(index > 0 ? [', '] : []),
    index === active ? element('b', 'cm-sqlActive', parameter) : parameter,
  ])
  const code = element('code', 'cm-sqlSignature', `${name}(`, ...parts, ')', returns === '' ? '' : ` → ${returns}`)
  const more =
    others > 0
      ? [
          element(
            'p',
            'cm-sqlNote',
            others === 1 ? 'and one other way to call it' : `and ${others} other ways to call it`,
          ),
        ]
      : []
  return element('div', 'cm-sqlInfo', code, ...more)
}
