import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { announce } from '../../../ui/announce.ts'
import { toast } from '../../../ui/toasts.ts'
import { useSql, useTabs } from '../context.tsx'
import type { SqlTab } from '../model/types.ts'
import { nextTitle } from '../store/tabs.ts'
import { readLink } from '../share/link.ts'

export interface ActiveTab {
  readonly active: SqlTab | null
  readonly open: (id: string) => void
  readonly openNew: () => void
  /** With a way back for a moment. */
  readonly close: (id: string) => void
  /** Tabs that came with a link. */
  readonly shared: ReadonlySet<string>
  readonly setShared: (id: string, shared: boolean) => void
}

const addressOf = (id: string): string => `/sql/${encodeURIComponent(id)}`

/** The tab that the address names; without one the last that was looked at, or a new one. */
export function useActiveTab(): ActiveTab {
  const { tabs: store, lastTab, noteTab } = useSql()
  const { tabs } = useTabs()
  const { tab: wanted } = useParams()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [shared, setSharedSet] = useState<ReadonlySet<string>>(new Set())
  const active = tabs?.find(({ id }) => id === wanted) ?? null
  const open = useCallback((id: string) => void navigate(addressOf(id)), [navigate])
  const setShared = useCallback((id: string, is: boolean): void => {
    setSharedSet((old) => {
      const next = new Set(old)
      if (is) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  /** The place in the row of the tab that's shown: when it's closed, the one that comes to stand there is next. */
  const place = useRef(0)
  useEffect(() => void store.load(), [store])
  useEffect(() => {
    if (!active || !tabs) return
    place.current = tabs.indexOf(active)
    noteTab(active.id)
  }, [active, tabs, noteTab])
  const fromLink = useLink(setShared)
  useEffect(() => {
    if (!tabs || active || fromLink(hash)) return
    const last = lastTab()
    const gone = wanted !== undefined && wanted === last
    if (wanted !== undefined && !gone) {
      toast({
        title: 'That query isn’t in this browser',
        description: 'It was closed, or its address is of another browser. To send one, use “Copy link”.',
      })
    }
    const next = gone
      ? (tabs[Math.min(place.current, tabs.length - 1)] ?? null)
      : (tabs.find(({ id }) => id === last) ?? tabs[0] ?? null)
    void navigate(addressOf((next ?? store.add()).id), { replace: true })
  }, [tabs, active, wanted, hash, fromLink, lastTab, navigate, store])
  const openNew = useCallback(() => open(store.add().id), [open, store])
  const close = useCallback(
    (id: string) => {
      const tab = store.find(id)
      if (!tab) return
      // Before it goes: no window is ever without a tab, or each would make one.
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

/** Opens the SQL of a link's fragment in a tab of its own; gives whether the address has one. */
function useLink(onShared: (id: string, shared: boolean) => void): (hash: string) => boolean {
  const { tabs: store } = useSql()
  const { tabs } = useTabs()
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
