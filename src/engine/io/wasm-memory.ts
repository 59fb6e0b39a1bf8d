/* WebAssembly's memories of this thread that live on from call to call: each grows, and none ever shrinks. */

/** Bytes that a thread may hold while nothing runs: from there on the next call is given another one. */
const MOST_HELD = 128 * 2 ** 20

const memories = new Set<WeakRef<WebAssembly.Memory>>()

/** Counts a memory for as long as somebody has it. */
export function countMemory(memory: WebAssembly.Memory): void {
  memories.add(new WeakRef(memory))
}

/** Whether this thread holds so much memory that it should end where it isn't needed: nothing else gives it back. */
export function isOutgrown(): boolean {
  let held = 0
  for (const memory of memories) held += memory.deref()?.buffer.byteLength ?? 0
  return held > MOST_HELD
}
