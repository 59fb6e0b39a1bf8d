import { useSyncExternalStore } from 'react'
import type { Readable } from '../../lib/store.ts'

/** A store's state, rendered again after each change. */
export function useStore<State>(store: Readable<State>): State
/** A part of a store's state. `select` must return the same value while that part is unchanged. */
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part
export function useStore<State>(store: Readable<State>, select?: (state: State) => unknown): unknown {
  // If React saw a change that wasn't announced yet, it would render everything again synchronously.
  const { subscribe, snapshot, announced = snapshot } = store
  return useSyncExternalStore(subscribe, select ? () => select(announced()) : announced)
}
