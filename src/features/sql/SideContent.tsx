import { useMemo, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useCatalog, useSql, useTemporary } from './context.tsx'
import type { SqlEditorHandle } from './parts.ts'
import type { SqlTab } from './types.ts'
import { Sidebar, type Section } from './Sidebar.tsx'

interface Props {
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly active: SqlTab | null
  readonly section: Section
  readonly onSection: (section: Section) => void
  readonly onOpen: (tabId: string) => void
  /** Something was taken to the editor. */
  readonly onLeave: () => void
}

/** The sidebar, with what its parts do to the tabs. */
export function SideContent({ editor, active, section, onSection, onOpen, onLeave }: Props) {
  const sql = useSql()
  const catalog = useCatalog()
  const temporary = useTemporary(active?.id ?? null)
  const schema = useMemo(() => ({ ...catalog.schema, temporary }), [catalog.schema, temporary])
  const navigate = useNavigate()
  const openText = (tab: Parameters<typeof sql.tabs.add>[0]): SqlTab => {
    onLeave()
    const made = sql.tabs.add(tab, active?.id)
    onOpen(made.id)
    return made
  }
  return (
    <Sidebar
      section={section}
      onSection={onSection}
      catalog={catalog}
      schema={schema}
      onRetry={() => void sql.catalog.refresh()}
      onInsert={(...texts) => {
        onLeave()
        editor.current?.insert(...texts)
      }}
      onPreview={(reference) => {
        const tab = openText({ title: previewTitle(reference), text: `SELECT * FROM ${reference} LIMIT 100` })
        void sql.run(tab, { kind: 'all' })
      }}
      onPublish={sql.publish}
      onOpenDataset={(id) => void navigate(`/datasets/${encodeURIComponent(id)}`)}
      onAddFiles={sql.addFiles}
      onOpenText={(query) =>
        openText(
          'name' in query
            ? { text: query.text, title: query.name, parameters: query.parameters }
            : { text: query.text },
        )
      }
    />
  )
}

/** The table's own name, of `"my-team".sales."Orders 2024"`. */
function previewTitle(reference: string): string {
  const last = /(?:"((?:[^"]|"")*)"|([^."]+))$/.exec(reference)
  return (last?.[1]?.replaceAll('""', '"') ?? last?.[2] ?? reference).slice(0, 100)
}
