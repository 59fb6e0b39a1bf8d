import { keepFocus } from '../ui/focus.ts'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, useCallback, type ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router'
import { READABLE } from '../contract/formats.ts'
import type { EngineClient } from '../engine/client.ts'
import { withUnpacked } from '../features/shared/archives.ts'
import type { IncomingFile, IncomingTable } from '../session/handover.ts'
import { DropOverlay } from '../ui/overlays/DropOverlay.tsx'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { announce, LiveRegion } from '../ui/overlays/announce.tsx'
import type { DropUse } from './DropDialog.tsx'
import { useHandover } from './handover.tsx'
import { Rail } from './Rail.tsx'
import { prepare, screenAt } from './screens.ts'
import css from './Shell.module.css'
import { useSessionState } from '../session/context.tsx'

const Palette = lazy(() => import('./Palette.tsx'))
const DropDialog = lazy(() => import('./DropDialog.tsx'))
const Toasts = lazy(() => import('../ui/overlays/Toasts.tsx'))
const TouchTitles = lazy(() => import('../ui/overlays/TouchTitles.tsx'))

/** What stays while screens change: rail, palette, drop target, toasts and announcements. */
export function Shell({ engine }: { readonly engine: EngineClient }) {
  const [palette, setPalette] = usePaletteKey()
  const [idle, setIdle] = useState(false)
  const main = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  const { convert, publish, query } = useHandover()
  const [dropped, setDropped] = useState<readonly File[]>([])
  const onConvert = pathname.startsWith('/convert')
  const onSql = pathname.startsWith('/sql')
  const params = new URLSearchParams(search)
  const makesDataset = pathname.startsWith('/datasets') && (params.has('new') || params.has('add'))
  useTitle(pathname)
  useScreenAnnounced(`${screenOf(pathname)}?${params.get('operation') ?? ''}`)
  // Loads the code of the first screen while the session opens.
  const screen = screenAt(pathname)
  const state = useSessionState()
  useEffect(() => prepare(screen, state), [screen, state])
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), [])
  // Toasts aren't needed for the first paint.
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 300)
    return () => clearTimeout(timer)
  }, [])
  const drop = async (all: readonly File[]): Promise<void> => {
    const files = await withUnpacked(all)
    if (onConvert) convert(files)
    else if (onSql) query({ kind: 'files', files: files.map(unread) })
    else if (makesDataset) publish(files.map(incoming))
    else setDropped(files)
  }
  const use = (what: DropUse): void => {
    setDropped([])
    if (what === 'convert') convert(dropped)
    else if (what === 'query') query({ kind: 'files', files: dropped.map(unread) })
    else publish(dropped.map(incoming))
  }
  return (
    <div className={css.shell}>
      <a
        href="#main"
        className={css.skip}
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <Rail onPalette={() => setPalette(true)} idle={idle} />
      <main id="main" ref={main} tabIndex={-1} className={css.main}>
        <DatasetsKeep engine={engine}>
          <ErrorBoundary key={screenOf(pathname)} what="This screen">
            <Outlet />
          </ErrorBoundary>
        </DatasetsKeep>
      </main>
      <DropOverlay
        title={onConvert ? 'Drop to convert' : onSql ? 'Drop to query' : 'Drop to add'}
        hint={`Files, folders or zip archives: ${READABLE}`}
        onFiles={(files) => void drop(files)}
      />
      <LiveRegion />
      <Suspense>
        {dropped.length > 0 ? (
          <DropDialog
            files={dropped}
            first={pathname.startsWith('/datasets') ? 'dataset' : 'convert'}
            onUse={use}
            onClose={() => setDropped([])}
          />
        ) : null}
        {palette ? <Palette onClose={() => setPalette(false)} /> : null}
        {idle ? <Toasts /> : null}
        {idle ? <TouchTitles /> : null}
      </Suspense>
    </div>
  )
}

const incoming = (file: File): IncomingTable => ({ file, plan: null, changed: false })
const unread = (file: File): IncomingFile => ({ file, plan: null })

/** Errors are reset when this changes. The tabs of SQL count as one screen. */
const screenOf = (pathname: string): string =>
  pathname
    .split('/')
    .slice(0, pathname.startsWith('/sql') ? 2 : 3)
    .join('/')

/** Sets the title to the screen's name, until the screen sets that of what it shows. */
function useTitle(pathname: string): void {
  useLayoutEffect(() => {
    const screen = screenAt(pathname)
    document.title = screen ? `${screen.label} · Rowhouse` : 'Rowhouse'
  }, [pathname])
}

/** Announces the new screen: the focus stays on the link that led to it. */
function useScreenAnnounced(screen: string): void {
  const last = useRef(screen)
  // After the screen has set its title.
  useEffect(() => {
    if (last.current !== screen) announce(document.title.replace(/ · Rowhouse$/, ''))
    last.current = screen
  }, [screen])
}

/** Whether the command palette is open; Ctrl+K (on a Mac, ⌘K) opens and closes it. */
function usePaletteKey(): readonly [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen((old) => !old)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return [open, setOpen]
}

const DatasetsProvider = lazy(async () => ({
  default: (await import('../features/datasets/index.ts')).DatasetsProvider,
}))

/**
 * Keeps a dataset that's being created while the person looks at other screens. Mounted around all screens from the
 * first visit to Datasets on, when the screen changes anyway.
 */
function DatasetsKeep({ engine, children }: { readonly engine: EngineClient; readonly children: ReactNode }) {
  const { incoming: tables, onConsumed, convert, query } = useHandover()
  const queryTable = useCallback((title: string, text: string) => query({ kind: 'statement', title, text }), [query])
  const { status } = useSessionState()
  const here = useLocation().pathname.startsWith('/datasets')
  const [visited, setVisited] = useState(here)
  if (here && !visited) setVisited(true)
  if (!visited || status !== 'ready') return children
  return (
    <Suspense>
      <DatasetsProvider
        engine={engine}
        incoming={tables}
        onConsumed={onConsumed}
        onConvertFiles={convert}
        onQuery={queryTable}
      >
        {children}
      </DatasetsProvider>
    </Suspense>
  )
}
