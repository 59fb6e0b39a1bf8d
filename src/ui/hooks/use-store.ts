import { useSyncExternalStore } from 'react'
import type { Readable } from '../../lib/store.ts'

/** What a store holds, now and after each change. */
export function useStore<State>(store: Readable<State>): State
/** A part of it. `select` gives the same value as long as that part is the same. */
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part
export function useStore<State>({ subscribe, snapshot }: Readable<State>, select?: (state: State) => unknown): unknown {
  return useSyncExternalStore(subscribe, select ? () => select(snapshot()) : snapshot)
}
