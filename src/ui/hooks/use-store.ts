import { useSyncExternalStore } from 'react'
import type { Readable } from '../../lib/store.ts'

/** What a store holds, now and after each change. */
export function useStore<State>(store: Readable<State>): State
/** A part of it. `select` gives the same value as long as that part is the same. */
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part
export function useStore<State>(store: Readable<State>, select?: (state: State) => unknown): unknown {
  // Where a value has changed and nobody was called back yet, React would draw all again, and all in one task.
  const { subscribe, snapshot, announced = snapshot } = store
  return useSyncExternalStore(subscribe, select ? () => select(announced()) : announced)
}
