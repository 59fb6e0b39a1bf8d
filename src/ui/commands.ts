import { useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'

/** Something that the command palette offers. */
export interface Command {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly icon?: ReactNode
  /** Other words that find it. */
  readonly keywords?: readonly string[]
  readonly run: () => void
}

const sources = new Map<symbol, readonly Command[]>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

function publish(): void {
  all = [...sources.values()].flat()
  for (const listener of listeners) listener()
}

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

export function useCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )
}
