import { Facet } from '@codemirror/state'
import type { SqlSession } from '../../../../engine/client.ts'
import { createCatalog, type Catalog } from '../../language/catalog.ts'
import type { ColumnSources } from '../../language/columns.ts'
import { createWords, type Words } from '../../language/dialect.ts'

/** What the editor's extensions know beside the text. */
export interface EditorData extends ColumnSources {
  readonly session: SqlSession | null
  readonly catalog: Catalog
  readonly words: Words
}

export const NO_DATA: EditorData = {
  session: null,
  catalog: createCatalog({ workspaces: [], local: [], temporary: [] }),
  words: createWords(null),
  described: () => undefined,
}

export const editorData = Facet.define<EditorData, EditorData>({ combine: ([first]) => first ?? NO_DATA })
