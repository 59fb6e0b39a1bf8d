import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams, type Location } from 'react-router'
import { announce } from '../../../ui/overlays/announce.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'
import { nextTitle } from './tabs.ts'
import { readLink } from './link.ts'

interface ActiveTab {
  readonly active: SqlTab | null
  readonly open: (id: string) => void
  readonly openNew: () => void
  /** Closes with an undo toast. */
  readonly close: (id: string) => void
  /** Tabs that were opened from a link. */
  readonly shared: ReadonlySet<string>
  readonly setShared: (id: string, shared: boolean) => void
}

const addressOf = (id: string): string => `/sql/${encodeURIComponent(id)}`

/** The tab in the address; without one, the last shown tab or a new one. */
export function useActiveTab(): ActiveTab {
  const { tabs: store, lastTab, lastPlace, noteTab } = useSql()
  const { tabs } = useStore(store)
  const { tab: addressed } = useParams()
  const navigate = useNavigate()
  const location = useLocation()
  const { hash } = location
  // The router renders a new address in a transition. What is typed until then must not go to the tab that was shown.
  const [opening, setOpening] = useState<{ readonly id: string; readonly from: Location } | null>(null)
  const wanted = opening?.from === location ? opening.id : addressed
  const [shared, setSharedSet] = useState<ReadonlySet<string>>(new Set())
  const found = tabs?.find(({ id }) => id === wanted) ?? null
  // It has just been closed: show its successor, and update the address.
  const next = tabs && !found && wanted === lastTab() ? tabs[Math.min(lastPlace(), tabs.length - 1)] : undefined
  const active = found ?? next ?? null
  const open = useCallback(
    (id: string) => {
      setOpening({ id, from: location })
      void navigate(addressOf(id))
    },
    [navigate, location],
  )
  const setShared = useCallback((id: string, is: boolean): void => {
    setSharedSet((old) => {
      const changed = new Set(old)
      if (is) changed.add(id)
      else changed.delete(id)
      return changed
    })
  }, [])
  useEffect(() => void store.load(), [store])
  useEffect(() => {
    if (found && tabs) noteTab(found.id, tabs.indexOf(found))
  }, [found, tabs, noteTab])
  const fromLink = useLink(setShared)
  useEffect(() => {
    if (!tabs || found || fromLink(hash)) return
    const last = lastTab()
    if (wanted !== undefined && wanted !== last) {
      toast({
        title: 'That query isn’t in this browser',
        description: 'It was closed, or its address is of another browser. To send one, use “Copy link”.',
      })
    }
    const shown = next ?? tabs.find(({ id }) => id === last) ?? tabs[0] ?? store.add()
    void navigate(addressOf(shown.id), { replace: true })
  }, [tabs, found, next, wanted, hash, fromLink, lastTab, navigate, store])
  const openNew = useCallback(() => open(store.add().id), [open, store])
  const close = useCallback(
    (id: string) => {
      const tab = store.find(id)
      if (!tab) return
      // Add a tab first: a window without tabs would add one itself.
      if (store.snapshot().tabs?.length === 1) store.add({ title: nextTitle([]) })
      const undo = store.remove(id)
      announce(`“${tab.title}” closed`)
      if (tab.text.trim() === '') return
      toast({
        title: `“${tab.title}” closed`,
        action: {
          label: 'Undo',
          run: () => {
            undo()
            open(id)
          },
        },
      })
    },
    [open, store],
  )
  return { active, open, openNew, close, shared, setShared }
}

/** Opens the SQL in a link's fragment in a new tab. Returns a function that tells whether the address has one. */
function useLink(onShared: (id: string, shared: boolean) => void): (hash: string) => boolean {
  const { tabs: store } = useSql()
  const { tabs } = useStore(store)
  const navigate = useNavigate()
  const { hash } = useLocation()
  const taken = useRef('')
  const loaded = tabs !== null
  useEffect(() => {
    if (!loaded || !isLink(hash)) {
      taken.current = ''
      return
    }
    if (taken.current === hash) return
    taken.current = hash
    void readLink(hash).then((found) => {
      if (!found) return
      if ('problem' in found) {
        toast({ title: 'The link can’t be opened', description: found.problem, tone: 'bad' })
        void navigate('/sql', { replace: true })
        return
      }
      const tab = store.add({ title: 'From a link', text: found.text })
      onShared(tab.id, true)
      void navigate(addressOf(tab.id), { replace: true })
    })
  }, [loaded, hash, navigate, store, onShared])
  return isLink
}

const isLink = (hash: string): boolean => hash.startsWith('#sql=')
