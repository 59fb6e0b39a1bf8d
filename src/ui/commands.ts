import { useEffect, type ReactNode } from 'react'
import { Store } from '../lib/store.ts'
import { useStore } from './hooks/use-store.ts'

/** Something that the command palette offers. */
export interface Command {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly icon?: ReactNode
  /** Other words that find it. */
  readonly keywords?: readonly string[]
  /** Whether it can be done now: asked when the palette opens. Without it, it always can. */
  readonly isOffered?: () => boolean
  readonly run: () => void
}

const sources = new Map<symbol, readonly Command[]>()
const all = new Store<readonly Command[]>([])

const publish = (): void => all.set([...sources.values()].flat())

/** Offers commands while the caller is mounted. Pass a list that keeps its identity (`useMemo`). */
export function useOffer(commands: readonly Command[]): void {
  useEffect(() => {
    const key = Symbol('commands')
    sources.set(key, commands)
    publish()
    return () => {
      sources.delete(key)
      publish()
    }
  }, [commands])
}

/** Those that can be done now. */
export function useCommands(): readonly Command[] {
  return useStore(all).filter(({ isOffered }) => isOffered?.() ?? true)
}
