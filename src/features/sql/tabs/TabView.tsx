import { lazy, Suspense, useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import Link from 'lucide-react/icons/link'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { SaveQuery } from '../saved/SaveQuery.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useSql } from '../context.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import type { AskValues, SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import type { Schema } from '../../../lib/duckdb-sql/index.ts'
import type { SqlTab } from '../types.ts'
import { ParameterForm, useParameters } from './ParameterForm.tsx'
import { Splitter, useSplit } from './Splitter.tsx'
import { ResultArea } from '../results/ResultArea.tsx'
import { frequentValues } from '../results/frequent-values.ts'
import { shownRows } from '../results/types.ts'
import { findStatement } from '../results/text.ts'
import { runTab } from './actions.tsx'
import css from '../SqlScreen.module.css'

const SqlEditor = lazy(() => import('../../shared/sql-editor/Editor.tsx'))

interface Props {
  readonly tab: SqlTab
  readonly schema: Schema
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly onEditor: (handle: SqlEditorHandle | null) => void
  readonly onClose: () => void
  readonly onRename: () => void
  readonly onKeys: () => void
  readonly onOpen: (id: string) => void
  /** Whether it was opened from a link and hasn't been used yet. */
  readonly shared: boolean
  readonly onSharedSeen: () => void
}

/** A tab: the editor above, the result below. */
export function TabView({ tab, schema, editor, onEditor, shared, onSharedSeen, ...way }: Props) {
  const sql = useSql()
  const { tabs, runner } = sql
  const run = useStore(runner(tab.id))
  const [saving, setSaving] = useState(false)
  const parameters = useParameters(runner(tab.id), tab.text)
  const body = useRef<HTMLDivElement>(null)
  const [share, setShare] = useSplit()
  const session = useMemo(() => runner(tab.id).editing(), [runner, tab.id])
  const isChart = tab.view === 'chart'
  const values = useCallback<AskValues>(
    // A large chart uses the same session to count, and must not be disturbed.
    (origin, signal) => (isChart ? Promise.resolve(null) : frequentValues(runner(tab.id), origin, signal)),
    [runner, tab.id, isChart],
  )
  const withTemporary = useMemo(
    () => ({ ...schema, temporary: run.temporary, macros: run.macros }),
    [schema, run.temporary, run.macros],
  )
  return (
    <>
      <Toolbar tab={tab} run={run} editor={editor} onSave={() => setSaving(true)} {...way} />
      {shared ? <SharedNotice onSeen={onSharedSeen} /> : null}
      <div ref={body} className={css.body}>
        <div className={css.editor} style={{ height: `${share}%` }}>
          <Suspense fallback={<div aria-busy />}>
            <SqlEditor
              ref={onEditor}
              documentId={tab.id}
              value={tab.text}
              onChange={(text) => tabs.change(tab.id, { text })}
              session={session}
              schema={withTemporary}
              values={values}
              problems={run.problems}
              said={run.problem?.message ?? null}
              onRun={(scope) => runTab(sql, tab.id, editor.current, scope === 'all' ? 'all' : 'cursor')}
              onCancel={() => runner(tab.id).cancel()}
            />
          </Suspense>
          {parameters.length > 0 ? (
            <ParameterForm
              values={tab.parameters}
              names={parameters}
              problem={run.problem}
              onChange={(changed) => tabs.change(tab.id, { parameters: changed })}
              onRun={() => runTab(sql, tab.id, editor.current, 'cursor')}
            />
          ) : null}
        </div>
        <Splitter label="Height of the editor" value={share} onChange={setShare} whole={body} />
        <ResultArea
          tab={tab}
          run={run}
          onGoTo={(range) => editor.current?.select(range)}
          onStatement={(statement) => replaceStatement(tab.id, statement)}
        />
      </div>
      {saving ? <SaveQuery tab={tab} onClose={() => setSaving(false)} /> : null}
    </>
  )

  /** Replaces the statement of the shown rows, and runs it. */
  function replaceStatement(id: string, statement: string): void {
    const now = tabs.find(id)
    const shown = shownRows(runner(id).snapshot())
    if (!now || !shown) return
    const place = findStatement(now.text, shown)
    if (!place) {
      toast({
        title: 'The statement was changed since it ran',
        description: 'Run it again, then sort or filter its result.',
      })
      return
    }
    const text = now.text.slice(0, place.from) + statement + now.text.slice(place.to)
    editor.current?.replace(text)
    tabs.change(id, { text })
    void runner(id).run({
      text,
      part: shown.selected
        ? { kind: 'range', from: place.from, to: place.from + statement.length }
        : { kind: 'cursor', at: place.from },
      where: now.where,
      parameters: now.parameters,
    })
  }
}

function SharedNotice({ onSeen }: { readonly onSeen: () => void }) {
  return (
    <div className={css.notice}>
      <Notice
        tone="info"
        live="status"
        flush
        icon={<Link aria-hidden />}
        actions={
          <Button size="small" onClick={onSeen}>
            OK
          </Button>
        }
      >
        <p>
          <strong>This SQL came with a link.</strong> Nothing was run. Read it first: it runs over your tables.
        </p>
      </Notice>
    </div>
  )
}
