import { hoverTooltip } from '@codemirror/view'
import type { EditorState } from '@codemirror/state'
import {
  cteColumns,
  relationColumns,
  nameOf,
  sameName,
  type Parsed,
  findCte,
  findRelation,
  relationName,
  scopeAt,
  type Scope,
} from '../../../../lib/duckdb-sql/index.ts'
import { editorData, type EditorData } from './data.ts'
import { columnInfo, functionInfo, tableInfo } from './info.ts'
import { parsedAt } from './statements.ts'

/** Explains the name under the pointer. */
export const hover = hoverTooltip(
  ({ state }, position) => {
    const found = describeAt(state, position)
    return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: found.dom() }) }
  },
  { hideOnChange: true },
)

interface Described {
  readonly from: number
  readonly to: number
  readonly dom: () => HTMLElement
}

function describeAt(state: EditorState, position: number): Described | null {
  const statement = parsedAt(state, position)
  if (!statement) return null
  const { parsed, start } = statement
  const index = parsed.tokens.findIndex(({ from, to }) => from <= position - start && position - start < to)
  const token = parsed.tokens[index]
  if (!token || (token.kind !== 'word' && token.kind !== 'quoted')) return null
  const dom = describe(parsed, index, scopeAt(parsed, token.from), state.facet(editorData))
  return dom && { from: start + token.from, to: start + token.to, dom }
}

function describe(parsed: Parsed, index: number, scope: Scope, data: EditorData): (() => HTMLElement) | null {
  const { text, tokens } = parsed
  const sign = (at: number): string => text.slice(tokens[at]?.from ?? 0, tokens[at]?.to ?? 0)
  const token = tokens[index]
  const name = token ? nameOf(text, token) : ''
  const path = [name]
  for (let at = index; at >= 2 && sign(at - 1) === '.'; at -= 2) {
    const owner = tokens[at - 2]
    if (owner) path.unshift(nameOf(text, owner))
  }
  const known = sign(index + 1) === '(' && path.length === 1 ? data.words.functionNamed(name) : null
  if (known) return () => functionInfo(known)
  return table(path, index, scope, data) ?? column(path, scope, data)
}

function table(path: readonly string[], index: number, scope: Scope, data: EditorData): (() => HTMLElement) | null {
  const inFrom = scope.core.relations.find(({ span }) => span.lo <= index && index < span.hi)
  const relation = inFrom ?? (path.length === 1 ? findRelation(scope.relations, path)?.relation : undefined)
  if (!relation) return null
  const cte = findCte(scope.ctes, relation.path)
  if (cte) return () => tableInfo(cte.cte.name, 'CTE', null, cteColumns(scope, cte, data))
  const stored = relation.query ? null : data.catalog.find(relation.path)
  if (stored) return () => tableInfo(stored.table.name, stored.place, stored.table.rowCount, stored.table.columns)
  const name = relationName(relation)
  return relation.query && name ? () => tableInfo(name, 'subquery', null, relationColumns(scope, relation, data)) : null
}

function column(path: readonly string[], scope: Scope, data: EditorData): (() => HTMLElement) | null {
  const name = path.at(-1) ?? ''
  const owner = path.length > 1 ? findRelation(scope.relations, path.slice(0, -1)) : null
  for (const { relation } of owner ? [{ relation: owner.relation }] : scope.relations) {
    const found = relationColumns(scope, relation, data).find((known) => sameName(known.name, name))
    if (found) return () => columnInfo(found.name, found.type, relationName(relation) ?? '')
  }
  return null
}
