import { useEffect, type ReactNode } from 'react'
import { Store } from '../lib/store.ts'
import { useStore } from './hooks/use-store.ts'

/** What people call the palette, which also finds places, datasets and saved queries. */
export const PALETTE_NAME = 'Search and commands'

/** A command in the palette. */
export interface Command {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly icon?: ReactNode
  /** Other words by which it's found. */
  readonly keywords?: readonly string[]
  /** Whether it's available, asked when the palette opens. By default it always is. */
  readonly isOffered?: () => boolean
  readonly run: () => void
}

const sources = new Map<symbol, readonly Command[]>()
const all = new Store<readonly Command[]>([])

const publish = (): void => all.set([...sources.values()].flat())

/** Registers commands while the caller is mounted. Memoize the list. */
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

/** The commands that are available now. */
export function useCommands(): readonly Command[] {
  return useStore(all).filter(({ isOffered }) => isOffered?.() ?? true)
}
