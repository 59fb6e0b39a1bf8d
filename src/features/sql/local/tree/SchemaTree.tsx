import FilePlus from 'lucide-react/icons/file-plus'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { READABLE } from '../../../../contract/formats.ts'
import { announce } from '../../../../ui/overlays/announce.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { formatCount, plural } from '../../../../ui/format.ts'
import { SearchField } from '../../../../ui/fields/SearchField.tsx'
import { FileButton } from '../../../../ui/fields/FileButton.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { useStore } from '../../../../ui/hooks/use-store.ts'
import { explain, inWords } from '../../../shared/problem.ts'
import { withUnpacked } from '../../../shared/archives.ts'
import { useSql } from '../../context.tsx'
import { ImportList } from '../ImportList.tsx'
import { WaitingFiles } from '../WaitingFiles.tsx'
import { RenameDialog } from '../RenameDialog.tsx'
import { flatten, MOST_FOUND, wordsOf } from './nodes.ts'
import type { AskRows } from './Preview.tsx'
import { TreeList } from './TreeList.tsx'
import { useActions } from './use-actions.tsx'
import css from './Tree.module.css'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { Link } from 'react-router'
import { sampleFile } from '../../../../tables/sample.ts'
import type { Schema, SchemaTable } from '../../../../lib/duckdb-sql/index.ts'

interface Props {
  readonly schema: Schema
  readonly status: 'loading' | 'ready' | 'failed'
  /** Why the datasets can't be listed. Local tables are shown anyway. */
  readonly error: Error | null
  readonly onRetry: () => void
  /** Inserts a name into the editor, or `alone` if the editor is empty. */
  readonly onInsert: (text: string, alone?: string) => void
  /**
   * Runs a statement about a table in a new tab, or in the shown one (`here`) for temporary tables, which no other tab
   * has.
   */
  readonly onRun: (reference: string, statement: string, here: boolean) => void
  /** Exports a table. */
  readonly onExport: (table: SchemaTable) => void
  /** Opens the dataset's screen. */
  readonly onOpenDataset: (id: string) => void
  /** Queries the rows for a preview. */
  readonly onAsk: AskRows
}

const NONE: ReadonlyMap<string, boolean> = new Map()

/** All tables that statements can use: local files, temporary tables, and workspace > dataset > table > column. */
export function SchemaTree(props: Props) {
  const { schema, status, error, onRetry, onInsert } = props
  const { local: files, addFiles } = useSql()
  const local = useStore(files.tables)
  const add = (chosen: readonly File[]): void => void withUnpacked(chosen).then(addFiles)
  const [query, setQuery] = useState('')
  const [renaming, setRenaming] = useState<string | null>(null)
  const searched = useDeferredValue(query)
  const [opened, setOpened] = useOpened(searched)
  const rows = useMemo(() => flatten(schema, { query: searched, opened }), [schema, searched, opened])
  const words = useMemo(() => wordsOf(searched), [searched])
  const actionsOf = useActions({ ...props, onRename: setRenaming })
  const toggle = (keys: readonly string[]): void => {
    const changed = new Set(keys)
    setOpened(rows.flatMap(({ key, expanded }) => (changed.has(key) ? [[key, !expanded] as const] : [])))
  }
  const root = useRef<HTMLDivElement>(null)
  const renamed = local.find(({ id }) => id === renaming)
  const empty =
    schema.local.length + (schema.kept?.length ?? 0) + schema.temporary.length + schema.workspaces.length === 0
  const finds =
    words.length === 0 ? null : rows.filter(({ folded }) => words.some((word) => folded.includes(word))).length
  useEffect(() => {
    if (finds !== null) announce(finds === 0 ? 'Nothing found' : `${formatCount(finds)} found`)
  }, [finds])
  const enterTree = (): void => root.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus()
  return (
    <div ref={root} className={css.panel}>
      <div className={css.bar}>
        <SchemaSearch value={query} onChange={setQuery} onLeave={enterTree} />
        <FileButton
          look="secondary"
          icon={<FilePlus aria-hidden />}
          aria-label="Files to query"
          title="Add files to query"
          onFiles={add}
        />
      </div>
      {status === 'failed' ? <NotListed error={error} onRetry={onRetry} /> : null}
      {rows.length > 0 ? (
        <TreeList
          rows={rows}
          words={words}
          actionsOf={actionsOf}
          onToggle={toggle}
          onInsert={onInsert}
          onAsk={props.onAsk}
        />
      ) : null}
      {rows.length >= MOST_FOUND && words.length > 0 ? (
        <p className={css.cut}>The first {plural(MOST_FOUND, 'line')}. Type more to find less.</p>
      ) : null}
      {rows.length === 0 && words.length > 0 && !empty ? (
        <div className={css.nothing}>
          <p>No table, column or dataset is called “{searched.trim()}”.</p>
          <Button size="small" look="quiet" onClick={() => setQuery('')}>
            Clear the search
          </Button>
        </div>
      ) : null}
      {status === 'loading' && schema.workspaces.length === 0 ? <Loading /> : null}
      {words.length === 0 ? <EmptyHints schema={schema} status={status} onFiles={add} /> : null}
      <WaitingFiles />
      <ImportList />
      {renamed ? <RenameDialog key={renamed.id} table={renamed} onClose={() => setRenaming(null)} /> : null}
    </div>
  )
}

type Opened = readonly (readonly [key: string, open: boolean])[]

/** Which nodes the person expanded and collapsed. Each search starts with its own state. */
function useOpened(query: string): readonly [ReadonlyMap<string, boolean>, (changed: Opened) => void] {
  const [always, setAlways] = useState(NONE)
  const [found, setFound] = useState({ query, opened: NONE })
  const searching = query.trim() !== ''
  const here = found.query === query ? found.opened : NONE
  const change = (changed: Opened): void => {
    if (searching) setFound({ query, opened: new Map([...here, ...changed]) })
    else setAlways(new Map([...always, ...changed]))
  }
  return [searching ? here : always, change]
}

interface SearchProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called for Arrow Down, to move to the results. */
  readonly onLeave: () => void
}

function SchemaSearch({ value, onChange, onLeave }: SearchProps) {
  return (
    <SearchField
      label="Search tables and columns"
      value={value}
      onChange={onChange}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value !== '') {
          // Escape would otherwise close the drawer around it.
          event.stopPropagation()
          event.preventDefault()
          onChange('')
        }
        if (event.key === 'ArrowDown') {
          event.preventDefault()
          onLeave()
        }
      }}
    />
  )
}

function Loading() {
  return (
    <output aria-label="Loading the tables" className={css.loading}>
      {[62, 48, 70, 40].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </output>
  )
}

interface HintsProps extends Pick<Props, 'schema' | 'status'> {
  readonly onFiles: (files: readonly File[]) => void
}

/** Explains what can be here and how to add it. Renders nothing once there are local files and datasets. */
function EmptyHints({ schema, status, onFiles }: HintsProps) {
  const { addFiles } = useSql()
  const noDatasets = status === 'ready' && schema.workspaces.length === 0
  if (schema.local.length > 0 && !noDatasets) return null
  return (
    <div className={css.hints}>
      {schema.local.length === 0 ? (
        <section className={css.hint}>
          <h2>Query a file</h2>
          <p>
            Drop a {READABLE} file in this window. It becomes <code>local.its_name</code>, without publishing it.
          </p>
          <div className={css.hintActions}>
            <FileButton size="small" look="secondary" icon={<FilePlus aria-hidden />} onFiles={onFiles}>
              Choose files
            </FileButton>
            <Button
              size="small"
              look="quiet"
              icon={<FlaskConical aria-hidden />}
              onClick={() => addFiles([sampleFile()])}
            >
              Use a sample
            </Button>
          </div>
        </section>
      ) : null}
      {noDatasets ? (
        <section className={css.hint}>
          <h2>Query a dataset</h2>
          <p>Tables that you publish are here for everyone in the workspace, as workspace.dataset.table.</p>
          <Link to="/datasets?new" className={css.hintLink}>
            New dataset
          </Link>
        </section>
      ) : null}
    </div>
  )
}

/** Explains why the datasets can't be listed. */
export function NotListed({ error, onRetry }: Pick<Props, 'error' | 'onRetry'>) {
  return (
    <div className={css.notice}>
      <Notice
        tone="bad"
        live="alert"
        flush
        actions={
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        <p>
          <strong>The datasets aren’t listed.</strong> {error ? inWords(explain(error, null)) : null}
        </p>
        <p>Local files can be queried all the same.</p>
      </Notice>
    </div>
  )
}
