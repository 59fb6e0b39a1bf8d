import { usePageTitle } from '../../ui/hooks/use-page-title.ts'
import { saveFile } from '../../ui/save.ts'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSession } from '../../session/context.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Page, PageHeader } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { firstDraft, withFields, type Draft } from './model/drafts.ts'
import type { ReferenceOperation } from './model/document.ts'
import { OperationNav } from './parts/OperationNav.tsx'
import { OperationView } from './parts/OperationView.tsx'
import { Overview } from './parts/Overview.tsx'
import { TryIt } from './parts/TryIt.tsx'
import type { Carried } from './parts/NextSteps.tsx'
import { useDocument, type LoadedDocument, useKnown } from './use-document.ts'
import { useRuns } from './use-runs.ts'
import css from './Reference.module.css'

/** All operations of the connected service: documentation, code, and a form to run them. */
export function ReferenceScreen() {
  const session = useSession()
  const loaded = useDocument(session)
  const [search] = useSearchParams()
  const operation = search.get('operation')
  const selected = loaded?.document.operations.find(({ id }) => id === operation) ?? null
  usePageTitle(selected ? `${selected.summary} · API reference` : 'API reference')
  return (
    <Page className={css.screen}>
      <PageHeader
        title="API reference"
        summary={loaded ? `${loaded.document.title} ${loaded.document.version}` : null}
        actions={
          <>
            <code className={css.baseUrl}>{session.apiBaseUrl}</code>
            <CopyButton label="Copy the base URL" text={session.apiBaseUrl} bare />
            {loaded ? <SaveDocument source={loaded.source} /> : null}
          </>
        }
      />
      {loaded ? (
        <>
          {operation !== null && !selected ? (
            <Notice tone="warn" flush live="status">
              <strong>{`This service has no operation “${operation}”.`}</strong>
              <span>The link may be old, or mistyped. Choose an operation from the list.</span>
            </Notice>
          ) : null}
          <Reference key={session.apiBaseUrl + session.workspaceId} loaded={loaded} selected={selected} />
        </>
      ) : (
        <EmptyState busy icon={<Spinner />}>
          Reading the interface…
        </EmptyState>
      )}
    </Page>
  )
}

function SaveDocument({ source }: { readonly source: unknown }) {
  const save = (): void =>
    saveFile(new Blob([JSON.stringify(source, null, 2)], { type: 'application/json' }), 'openapi.json')
  return (
    <Button size="small" look="quiet" icon={<Download aria-hidden />} onClick={save}>
      OpenAPI document
    </Button>
  )
}

function Reference({
  loaded,
  selected,
}: {
  readonly loaded: LoadedDocument
  readonly selected: ReferenceOperation | null
}) {
  const { document, instead } = loaded
  const session = useSession()
  const { known, datasets } = useKnown(session)
  const runs = useRuns(session)
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [, setSearch] = useSearchParams()
  const select = (id: string | null): void => setSearch(id === null ? {} : { operation: id })
  const draftOf = (operation: ReferenceOperation): Draft => drafts[operation.id] ?? firstDraft(operation, known)
  const change = (operation: ReferenceOperation, draft: Draft): void =>
    setDrafts((before) => ({ ...before, [operation.id]: draft }))
  const carry = ({ to, fields }: Carried): void => {
    const operation = document.operations.find(({ id }) => id === to)
    if (!operation) return
    const draft = draftOf(operation)
    change(operation, { ...draft, body: withFields(draft.body, fields) })
    select(operation.id)
  }

  return (
    <>
      {instead === null ? null : (
        <Notice tone="info" flush>
          <strong>This service’s OpenAPI document can’t be read</strong>
          <span>{`What you see is the interface that Rowhouse is built to. ${instead}`}</span>
        </Notice>
      )}
      <div className={css.layout} data-overview={selected === null}>
        <OperationNav document={document} selected={selected?.id ?? null} onSelect={select} />
        {selected ? (
          <>
            <OperationView key={selected.id} operation={selected} document={document} />
            <TryIt
              key={`try ${selected.id}`}
              operation={selected}
              operations={document.operations}
              draft={draftOf(selected)}
              datasets={datasets}
              known={known}
              runs={runs}
              onChange={(draft) => change(selected, draft)}
              onCarry={carry}
            />
          </>
        ) : (
          <Overview document={document} />
        )}
      </div>
    </>
  )
}
