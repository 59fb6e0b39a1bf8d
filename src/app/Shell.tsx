import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { DropOverlay } from '../ui/DropOverlay.tsx'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import type { Dropped } from '../ui/files-dropped.ts'
import { LiveRegion } from '../ui/LiveRegion.tsx'
import { toast } from '../ui/toasts.ts'
import { Rail } from './Rail.tsx'
import { SCREENS } from './screens.ts'
import { usePaletteKey } from './use-palette-key.ts'
import css from './Shell.module.css'

const Palette = lazy(() => import('./Palette.tsx'))
const Toasts = lazy(() => import('../ui/Toasts.tsx'))

/** What stays while screens change: the rail, the palette, the drop target, and what is said to the person. */
export function Shell({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const [palette, setPalette] = usePaletteKey()
  const [idle, setIdle] = useState(false)
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useTitle(pathname)
  // Toasts aren't needed for the first paint.
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 300)
    return () => clearTimeout(timer)
  }, [])
  const drop = ({ files, left }: Dropped): void => {
    if (!pathname.startsWith('/convert')) void navigate('/convert')
    onFiles(files)
    if (left > 0)
      toast({ title: `${files.length} files were taken`, description: `${left} more were left: add them later.` })
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
      <Rail onPalette={() => setPalette(true)} />
      <main id="main" ref={main} tabIndex={-1} className={css.main}>
        <ErrorBoundary key={pathname} what="This screen">
          <Outlet />
        </ErrorBoundary>
      </main>
      <DropOverlay
        title="Drop to convert"
        hint="Files or folders: CSV, TSV, JSON, Excel, Parquet, Arrow"
        onFiles={drop}
      />
      <LiveRegion />
      <Suspense>
        {palette ? <Palette onClose={() => setPalette(false)} /> : null}
        {idle ? <Toasts /> : null}
      </Suspense>
    </div>
  )
}

function useTitle(pathname: string): void {
  useEffect(() => {
    const screen = SCREENS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    document.title = screen ? `${screen.label} · Rowhouse` : 'Rowhouse'
  }, [pathname])
}
