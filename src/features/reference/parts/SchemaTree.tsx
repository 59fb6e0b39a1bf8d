import { useMemo } from 'react'
import type { JsonSchema } from '../../../contract/openapi-types.ts'
import type { ReferenceDocument } from '../model/document.ts'
import { parseInlines } from '../model/markdown.ts'
import { schemaTree, type SchemaNode } from '../model/schema-tree.ts'
import { Inlines } from './Markdown.tsx'
import css from './SchemaTree.module.css'

interface Props {
  readonly label: string
  readonly schema: JsonSchema
  readonly document: ReferenceDocument
}

/** A body's fields, nested ones indented. */
export function SchemaTree({ label, schema, document }: Props) {
  const { nodes, forms } = useMemo(() => schemaTree(schema, document.resolve), [schema, document])
  if (nodes.length === 0) return <p className={css.none}>Any JSON.</p>
  return (
    <>
      <Fields label={label} nodes={nodes} />
      {forms > 1 ? <p className={css.none}>{`The first of ${forms} forms that it comes in.`}</p> : null}
    </>
  )
}

function Fields({ label, nodes }: { readonly label: string; readonly nodes: readonly SchemaNode[] }) {
  return (
    <ul aria-label={label} className={css.fields}>
      {nodes.map((node) => (
        <li key={node.name} className={css.field}>
          <p className={css.line}>
            <code className={css.name}>{node.name}</code>
            <span className={css.type}>{node.type}</span>
            {node.required ? <span className={css.required}>required</span> : null}
          </p>
          {node.description || node.notes.length > 0 ? (
            <p className={css.description}>
              <Inlines inlines={parseInlines(node.description)} />
              {node.notes.length > 0 ? <span className={css.notes}>{node.notes.join(' · ')}</span> : null}
            </p>
          ) : null}
          {node.children.length > 0 ? <Fields label={`Fields of ${node.name}`} nodes={node.children} /> : null}
        </li>
      ))}
    </ul>
  )
}
