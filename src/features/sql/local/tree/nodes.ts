import { foldName } from '../../../../lib/names.ts'
import { quoteName, quoteReference, type Schema, type SchemaTable } from '../../../../lib/duckdb-sql/index.ts'
import type { ResultColumn } from '../../../../engine/client.ts'
import type { TreeLine } from '../../../../ui/tree-keys.ts'
import { lazily } from '../../../../lib/lazily.ts'

/*
 * The schema as rows of a tree. A tree of 1,000 datasets has 20,000 tables and more columns, so nodes are created only
 * when they are shown or searched.
 */

type NodeKind = 'local-files' | 'kept' | 'temporary' | 'workspace' | 'dataset' | 'table' | 'column'

/** A node of the tree. */
export interface TreeNode {
  /** Unique, and stable while it's the same object. */
  readonly key: string
  readonly kind: NodeKind
  readonly label: string
  /** The label, folded for searching. */
  readonly folded: string
  /** Qualified name for statements; null for nodes that statements can't use. */
  readonly reference: string | null
  /** For tables and their columns. */
  readonly table: SchemaTable | null
  readonly column: ResultColumn | null
  /** For datasets and everything in them. */
  readonly datasetId: string | null
  /** For local tables and their columns. */
  readonly localId: string | null
  readonly isView: boolean
  readonly children: () => readonly TreeNode[]
  /** The folded names of a table's columns, without creating their nodes. */
  readonly columnNames: () => readonly string[]
}

export interface TreeRow extends TreeNode, TreeLine {
  /** From 1, as ARIA counts. */
  readonly level: number
  readonly position: number
  readonly size: number
}

interface TreeView {
  /** Nodes that the person expanded or collapsed, by key. */
  readonly opened: ReadonlyMap<string, boolean>
  /** Search text; empty shows everything. */
  readonly query: string
}

const SEPARATOR = '\u001f'
const keyOf = (...parts: readonly string[]): string => parts.join(SEPARATOR)

const none = (): readonly never[] => []
const PLAIN = {
  reference: null,
  table: null,
  column: null,
  datasetId: null,
  localId: null,
  isView: false,
  children: none,
  columnNames: none,
}

/** With up to this many datasets, their tables are shown initially. */
const FEW_DATASETS = 2

/** Limit of search results, so that one letter in a large schema doesn't delay the next keystroke. */
export const MOST_FOUND = 5000

/** The visible rows in order; for a search, the first ones. */
export function flatten(schema: Schema, { opened, query }: TreeView): TreeRow[] {
  const words = wordsOf(query)
  const rows: TreeRow[] = []
  const few = schema.workspaces.reduce((sum, { datasets }) => sum + datasets.length, 0) <= FEW_DATASETS
  /** @param searched whether to show only nodes that match, or everything */
  const add = (nodes: readonly TreeNode[], parent: number, path: readonly string[], searched: boolean): void => {
    const level = (rows[parent]?.level ?? 0) + 1
    let position = 0
    for (const node of nodes) {
      if (words.length > 0 && rows.length >= MOST_FOUND) return
      const opens = hasChildren(node)
      const found = searched && holdsFound(node, path, words)
      const byDefault = searched ? found : words.length === 0 && (isSection(node) || (few && node.kind === 'dataset'))
      const open = opens && (opened.get(node.key) ?? byDefault)
      rows.push({ ...node, level, expanded: opens ? open : null, position: ++position, size: nodes.length, parent })
      if (!open) continue
      const at = rows.length - 1
      const below = searched ? [...path, node.folded] : path
      // A matching node can be browsed completely.
      const children = node.children()
      add(found ? children.filter((child) => isShown(child, below, words)) : children, at, below, found)
    }
  }
  const searched = words.length > 0
  const top = treeOf(schema)
  add(searched ? top.filter((node) => isShown(node, [], words)) : top, -1, [], searched)
  return rows
}

function isSection({ kind }: TreeNode): boolean {
  return kind === 'local-files' || kind === 'kept' || kind === 'temporary' || kind === 'workspace'
}

function hasChildren({ table, kind, children }: TreeNode): boolean {
  return kind === 'table' ? (table?.columns.length ?? 0) > 0 : children().length > 0
}

/** Cached, since a schema is expanded and searched many times. */
const trees = new WeakMap<Schema, readonly TreeNode[]>()

function treeOf(schema: Schema): readonly TreeNode[] {
  const known = trees.get(schema)
  if (known) return known
  const { local, kept = [], temporary, workspaces } = schema
  const tree = [
    section('local-files', 'Local files', local, ({ id }) => ({ own: id, localId: id })),
    { ...section('kept', 'My tables', kept, ({ id }) => ({ own: id, localId: id })), reference: 'my' },
    section('temporary', 'Temporary', temporary, ({ kind }) => ({ isView: kind === 'view' })),
  ].filter((node) => node.children().length > 0)
  const nodes = [...tree, ...workspaces.map(workspaceNode)]
  trees.set(schema, nodes)
  return nodes
}

function section<T extends SchemaTable>(
  kind: NodeKind,
  label: string,
  tables: readonly T[],
  owner: (table: T) => Owner,
): TreeNode {
  const children = lazily(() => tables.map((table) => tableNode(kind, table, owner(table))))
  return { ...PLAIN, key: kind, kind, label, folded: foldName(label), children }
}

function workspaceNode({ name, datasets }: Schema['workspaces'][number]): TreeNode {
  const key = keyOf('workspace', name)
  const children = lazily(() =>
    datasets.map((dataset): TreeNode => {
      const datasetKey = keyOf(key, dataset.id)
      const owner = { datasetId: dataset.id }
      return {
        ...PLAIN,
        ...owner,
        key: datasetKey,
        kind: 'dataset',
        label: dataset.name,
        folded: foldName(dataset.name),
        reference: quoteReference([name, dataset.name]),
        children: lazily(() => dataset.tables.map((table) => tableNode(datasetKey, table, owner))),
      }
    }),
  )
  return { ...PLAIN, key, kind: 'workspace', label: name, folded: foldName(name), reference: quoteName(name), children }
}

interface Owner extends Partial<Pick<TreeNode, 'datasetId' | 'localId' | 'isView'>> {
  /** A stable key for nodes that can be renamed. */
  readonly own?: string
}

function tableNode(parent: string, table: SchemaTable, { own = table.name, ...owner }: Owner): TreeNode {
  const { name: label, reference, columns } = table
  const node: TreeNode = {
    ...PLAIN,
    ...owner,
    key: keyOf(parent, own),
    kind: 'table',
    label,
    folded: foldName(label),
    reference,
    table,
    // Not cached, since there are many.
    children: () => columns.map((column, i) => columnNode(node, column, i)),
    columnNames: lazily(() => columns.map(({ name }) => foldName(name))),
  }
  return node
}

function columnNode(table: TreeNode, column: ResultColumn, i: number): TreeNode {
  const { name: label } = column
  const key = keyOf(table.key, String(i))
  const reference = quoteName(label)
  return { ...table, key, kind: 'column', label, folded: foldName(label), reference, column, children: none }
}

/* A search matches a node if every word is in its name or an ancestor's, and at least one is in its own name. */

export function wordsOf(query: string): string[] {
  return foldName(query).split(/\s+/).filter(Boolean)
}

function matches(label: string, path: readonly string[], words: readonly string[]): boolean {
  let own = false
  for (const word of words) {
    if (label.includes(word)) own = true
    else if (!path.some((above) => above.includes(word))) return false
  }
  return own
}

/** Whether a node or one of its descendants matches. */
function isShown(node: TreeNode, path: readonly string[], words: readonly string[]): boolean {
  return matches(node.folded, path, words) || holdsFound(node, path, words)
}

/** Whether a descendant matches. */
function holdsFound(
  { folded, kind, columnNames, children }: TreeNode,
  path: readonly string[],
  words: readonly string[],
) {
  const below = [...path, folded]
  if (kind === 'table') return columnNames().some((name) => matches(name, below, words))
  return children().some((child) => isShown(child, below, words))
}

/** The parts of a label, and whether each matches the search. */
export function highlight(label: string, words: readonly string[]): readonly (readonly [text: string, hit: boolean])[] {
  const folded = label.toLowerCase()
  // Marks would be misplaced if folding changes the length.
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

/** Whether a node can be dragged into a statement. */
export function isDragged({ kind, reference }: TreeNode): boolean {
  return reference !== null && (kind === 'table' || kind === 'column' || kind === 'dataset')
}

/** What Enter and a double click insert; null for nodes that they expand or collapse. */
export function insertedBy({ kind, reference }: TreeNode): readonly [name: string, alone?: string] | null {
  if (reference === null) return null
  return kind === 'table' ? [reference, `FROM ${reference}`] : kind === 'column' ? [reference] : null
}

export function hasMenu({ kind }: TreeNode): boolean {
  return kind === 'dataset' || kind === 'table' || kind === 'column'
}

/** Tables with more columns are selected with `*`. */
const MOST_NAMED = 40

/** A first query on a table. */
export function selectStatement({ reference, columns }: SchemaTable): string {
  const names = columns.map(({ name }) => quoteName(name))
  const distinct = new Set(names.map((name) => name.toLowerCase())).size === names.length
  const list = distinct && names.length > 0 && names.length <= MOST_NAMED ? names.join(', ') : '*'
  return `SELECT ${list}\nFROM ${reference}\nLIMIT 100;`
}

/** CREATE TABLE with the same columns, without rows. */
export function createStatement({ name, columns }: SchemaTable): string {
  const list = columns.map((column) => `  ${quoteName(column.name)} ${column.type}`)
  return `CREATE TABLE ${quoteName(name)} (\n${list.join(',\n')}\n);`
}
