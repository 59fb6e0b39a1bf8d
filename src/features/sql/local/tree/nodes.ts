import { quoteName, quoteReference, type Schema, type SchemaTable } from '../../../../lib/duckdb-sql/index.ts'
import type { ResultColumn } from '../../../../engine/client.ts'

/* The schema as lines of a tree. A tree of 1,000 datasets has 20,000 tables and more columns: nothing is made for what
   isn't shown. */

type NodeKind = 'local-files' | 'kept' | 'temporary' | 'workspace' | 'dataset' | 'table' | 'column'

/** What a line stands for. */
export interface TreeNode {
  /** Unique in the tree, and the same as long as it's the same thing. */
  readonly key: string
  readonly kind: NodeKind
  readonly label: string
  /** The label as it's searched. */
  readonly folded: string
  /** What a statement calls it; null for what none can name. */
  readonly reference: string | null
  /** Of tables, and of the columns in them. */
  readonly table: SchemaTable | null
  readonly column: ResultColumn | null
  /** Of datasets, and of what is in them. */
  readonly datasetId: string | null
  /** Of local tables, and of their columns. */
  readonly localId: string | null
  readonly isView: boolean
}

export interface TreeRow extends TreeNode {
  /** From 1, as assistive technology counts. */
  readonly level: number
  /** Null: there's nothing in it. */
  readonly expanded: boolean | null
  readonly position: number
  readonly size: number
  /** Index of the line that it's in; -1 at the top. */
  readonly parent: number
}

interface TreeView {
  /** Which lines were opened and closed by hand, by their keys. */
  readonly opened: ReadonlyMap<string, boolean>
  /** What is searched for; empty: everything is shown. */
  readonly query: string
}

const SEPARATOR = '\u001f'
const keyOf = (...parts: readonly string[]): string => parts.join(SEPARATOR)

const PLAIN = { reference: null, table: null, column: null, datasetId: null, localId: null, isView: false }

/** Datasets up to which their tables are shown at first. */
const FEW_DATASETS = 2

/** Lines that a search gives, so that one letter of a large schema doesn't hold up the next. */
export const MOST_FOUND = 5000

/** The lines that are shown, in order; of a search the first of them. */
export function flatten(schema: Schema, { opened, query }: TreeView): TreeRow[] {
  const words = wordsOf(query)
  const rows: TreeRow[] = []
  const few = schema.workspaces.reduce((sum, { datasets }) => sum + datasets.length, 0) <= FEW_DATASETS
  /** @param searched whether only what was found is shown, or all that's in it */
  const add = (nodes: readonly TreeNode[], parent: number, path: readonly string[], searched: boolean): void => {
    const level = (rows[parent]?.level ?? 0) + 1
    let position = 0
    for (const node of nodes) {
      if (words.length > 0 && rows.length >= MOST_FOUND) return
      const opens = hasChildren(schema, node)
      const found = searched && hasFinds(schema, node, path, words)
      const byDefault = searched ? found : words.length === 0 && (isSection(node) || (few && node.kind === 'dataset'))
      const open = opens && (opened.get(node.key) ?? byDefault)
      rows.push({ ...node, level, expanded: opens ? open : null, position: ++position, size: nodes.length, parent })
      if (!open) continue
      const at = rows.length - 1
      const below = searched ? [...path, node.folded] : path
      // What was found as a whole can be looked through as a whole.
      add(found ? foundIn(schema, node, below, words) : childrenOf(schema, node), at, below, found)
    }
  }
  const searched = words.length > 0
  const top = sections(schema)
  add(searched ? top.filter((node) => concerns(schema, node, [], words)) : top, -1, [], searched)
  return rows
}

function isSection({ kind }: TreeNode): boolean {
  return kind === 'local-files' || kind === 'kept' || kind === 'temporary' || kind === 'workspace'
}

function sections(schema: Schema): TreeNode[] {
  const nodes: TreeNode[] = []
  if (schema.local.length > 0) nodes.push(section('local-files', 'Local files'))
  if (keptOf(schema).length > 0) nodes.push({ ...section('kept', 'My tables'), reference: 'my' })
  if (schema.temporary.length > 0) nodes.push(section('temporary', 'Temporary'))
  for (const { name } of schema.workspaces) {
    nodes.push({ ...section('workspace', name), key: keyOf('workspace', name), reference: quoteName(name) })
  }
  return nodes
}

const keptOf = ({ kept = [] }: Schema): NonNullable<Schema['kept']> => kept

const section = (kind: NodeKind, label: string): TreeNode => ({ ...PLAIN, key: kind, kind, label, folded: fold(label) })

function hasChildren(schema: Schema, node: TreeNode): boolean {
  switch (node.kind) {
    case 'column':
      return false
    case 'table':
      return (node.table?.columns.length ?? 0) > 0
    case 'dataset':
      return datasetOf(schema, node).tables.length > 0
    case 'local-files':
    case 'kept':
    case 'temporary':
    case 'workspace':
      return true
  }
}

/** Lines of a schema that were made: it's opened and searched again and again. Not those of columns, which are many. */
const made = new WeakMap<Schema, Map<string, readonly TreeNode[]>>()

function childrenOf(schema: Schema, node: TreeNode): readonly TreeNode[] {
  let known = made.get(schema)
  if (!known) made.set(schema, (known = new Map()))
  let children = known.get(node.key)
  if (!children) {
    children = makeChildren(schema, node)
    if (node.kind !== 'table') known.set(node.key, children)
  }
  return children
}

function makeChildren(schema: Schema, node: TreeNode): readonly TreeNode[] {
  switch (node.kind) {
    case 'local-files':
      return schema.local.map((table) => tableNode(node, table, { localId: table.id, own: table.id }))
    case 'kept':
      return keptOf(schema).map((table) => tableNode(node, table, { localId: table.id, own: table.id }))
    case 'temporary':
      return schema.temporary.map((table) => tableNode(node, table, { isView: table.kind === 'view' }))
    case 'workspace':
      return workspaceOf(schema, node).map(({ id, name }) => ({
        ...PLAIN,
        key: keyOf(node.key, id),
        kind: 'dataset',
        label: name,
        folded: fold(name),
        reference: quoteReference([node.label, name]),
        datasetId: id,
      }))
    case 'dataset':
      return datasetOf(schema, node).tables.map((table) => tableNode(node, table, { datasetId: node.datasetId }))
    case 'table':
      return (node.table?.columns ?? []).map((column, i) => columnNode(node, column, i))
    case 'column':
      return []
  }
}

/** Of what is in a line, what is searched for or holds that. */
function foundIn(
  schema: Schema,
  node: TreeNode,
  below: readonly string[],
  words: readonly string[],
): readonly TreeNode[] {
  if (node.kind !== 'table') return childrenOf(schema, node).filter((child) => concerns(schema, child, below, words))
  const columns = node.table?.columns ?? []
  return foldedNames(columns).flatMap((name, i) => {
    const column = columns[i]
    return column && matches(name, below, words) ? [columnNode(node, column, i)] : []
  })
}

function columnNode(table: TreeNode, column: ResultColumn, i: number): TreeNode {
  const { name: label } = column
  const key = keyOf(table.key, String(i))
  return { ...table, key, kind: 'column', label, folded: fold(label), reference: quoteName(label), column }
}

interface Owner extends Partial<Pick<TreeNode, 'datasetId' | 'localId' | 'isView'>> {
  /** What stays the same when it's renamed. */
  readonly own?: string
}

function tableNode(parent: TreeNode, table: SchemaTable, { own = table.name, ...owner }: Owner): TreeNode {
  const key = keyOf(parent.key, own)
  const { name: label, reference } = table
  return { ...PLAIN, ...owner, key, kind: 'table', label, folded: fold(label), reference, table }
}

type Datasets = Schema['workspaces'][number]['datasets']

function workspaceOf(schema: Schema, { label }: TreeNode): Datasets {
  return schema.workspaces.find(({ name }) => name === label)?.datasets ?? []
}

const NO_DATASET: Datasets[number] = { id: '', name: '', tables: [] }
const byId = new WeakMap<Schema, ReadonlyMap<string, Datasets[number]>>()

function datasetOf(schema: Schema, { datasetId }: TreeNode): Datasets[number] {
  let index = byId.get(schema)
  if (!index) {
    const datasets = schema.workspaces.flatMap((workspace) => workspace.datasets)
    byId.set(schema, (index = new Map(datasets.map((dataset) => [dataset.id, dataset]))))
  }
  return index.get(datasetId ?? '') ?? NO_DATASET
}

/* Searching: every word must stand in a name or in one of those that it's in, and one of them in the name itself. */

const fold = (text: string): string => text.normalize('NFC').toLowerCase()

export function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean)
}

function matches(label: string, path: readonly string[], words: readonly string[]): boolean {
  let own = false
  for (const word of words) {
    if (label.includes(word)) own = true
    else if (!path.some((above) => above.includes(word))) return false
  }
  return own
}

/** Whether a line is shown: it's what is searched for, or something in it is. */
function concerns(schema: Schema, node: TreeNode, path: readonly string[], words: readonly string[]): boolean {
  return matches(node.folded, path, words) || hasFinds(schema, node, path, words)
}

/** Whether something in it is what is searched for. */
function hasFinds(schema: Schema, node: TreeNode, path: readonly string[], words: readonly string[]): boolean {
  const below = [...path, node.folded]
  switch (node.kind) {
    case 'local-files':
      return schema.local.some((table) => tableConcerns(table, below, words))
    case 'kept':
      return keptOf(schema).some((table) => tableConcerns(table, below, words))
    case 'temporary':
      return schema.temporary.some((table) => tableConcerns(table, below, words))
    case 'workspace':
      return workspaceOf(schema, node).some(({ name, tables }) => {
        const folded = fold(name)
        if (matches(folded, below, words)) return true
        const within = [...below, folded]
        return tables.some((table) => tableConcerns(table, within, words))
      })
    case 'dataset':
      return datasetOf(schema, node).tables.some((table) => tableConcerns(table, below, words))
    case 'table':
      return columnsConcern(node.table?.columns ?? [], below, words)
    case 'column':
      return false
  }
}

function tableConcerns({ name, columns }: SchemaTable, path: readonly string[], words: readonly string[]): boolean {
  const folded = fold(name)
  return matches(folded, path, words) || columnsConcern(columns, [...path, folded], words)
}

/** Names of columns are folded once: there are many. */
const foldedOf = new WeakMap<readonly ResultColumn[], readonly string[]>()

function foldedNames(columns: readonly ResultColumn[]): readonly string[] {
  let names = foldedOf.get(columns)
  if (!names) foldedOf.set(columns, (names = columns.map(({ name }) => fold(name))))
  return names
}

function columnsConcern(columns: readonly ResultColumn[], path: readonly string[], words: readonly string[]): boolean {
  return foldedNames(columns).some((name) => matches(name, path, words))
}

/** The parts of a label, and whether each is what was searched for. */
export function highlight(label: string, words: readonly string[]): readonly (readonly [text: string, hit: boolean])[] {
  const folded = label.toLowerCase()
  // Letters that change their length with their case would put the marks elsewhere.
  if (words.length === 0 || folded.length !== label.length) return [[label, false]]
  const hits = Array.from({ length: label.length }, () => false)
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
      hits.fill(true, at, at + word.length)
  }
  const parts: [string, boolean][] = []
  for (let i = 0; i < label.length; i++) {
    const last = parts.at(-1)
    const hit = hits[i] ?? false
    if (last && last[1] === hit) last[0] += label[i] ?? ''
    else parts.push([label[i] ?? '', hit])
  }
  return parts
}

/** What can be dragged into a statement. */
export function isDragged({ kind, reference }: TreeNode): boolean {
  return reference !== null && (kind === 'table' || kind === 'column' || kind === 'dataset')
}

/** What Enter and a double click put into a statement; null for what they open or close. */
export function insertedBy({ kind, reference }: TreeNode): readonly [name: string, alone?: string] | null {
  if (reference === null) return null
  return kind === 'table' ? [reference, `FROM ${reference}`] : kind === 'column' ? [reference] : null
}

/** Whether there's something to be done with a line. */
export function hasMenu({ kind }: TreeNode): boolean {
  return kind === 'dataset' || kind === 'table' || kind === 'column'
}

/** Columns up to which a statement names them. */
const MOST_NAMED = 40

/** A first statement over a table. */
export function selectStatement({ reference, columns }: SchemaTable): string {
  const names = columns.map(({ name }) => quoteName(name))
  const distinct = new Set(names.map((name) => name.toLowerCase())).size === names.length
  const list = distinct && names.length > 0 && names.length <= MOST_NAMED ? names.join(', ') : '*'
  return `SELECT ${list}\nFROM ${reference}\nLIMIT 100;`
}

/** What would make a table with the same columns, without its rows. */
export function createStatement({ name, columns }: SchemaTable): string {
  const list = columns.map((column) => `  ${quoteName(column.name)} ${column.type}`)
  return `CREATE TABLE ${quoteName(name)} (\n${list.join(',\n')}\n);`
}
