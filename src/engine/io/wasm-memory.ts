/* WebAssembly memories of this thread that are kept between calls. They can grow, but never shrink. */

/** Maximum bytes held by an idle thread. Above this, the next call gets a new thread. */
const MOST_HELD = 128 * 2 ** 20

const memories = new Set<WeakRef<WebAssembly.Memory>>()

/** Counts a memory as long as it's in use. */
export function countMemory(memory: WebAssembly.Memory): void {
  memories.add(new WeakRef(memory))
}

/**
 * Whether this thread holds so much memory that it should be ended when idle, since there's no other way to free it.
 */
export function isOutgrown(): boolean {
  let held = 0
  for (const memory of memories) held += memory.deref()?.buffer.byteLength ?? 0
  return held > MOST_HELD
}
