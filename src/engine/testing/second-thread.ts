import { Channel } from '../channel/channel.ts'
import { inProcess } from '../channel/testing.ts'
import type { FilePart } from '../formats/types.ts'
import { MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import type { WriterThreadCalls } from '../convert/writer-thread.ts'
import { openWriterThread } from '../convert/writer-thread-role.ts'
import { WriterThread } from '../convert/writer-thread.ts'

/* A conversion's second thread, in this one. Tests only. */

export interface SecondThread {
  readonly signal?: AbortSignal
  readonly storage?: OutputStorage
  /** Called before each part that is left to the thread: to take its time, or to fail. */
  readonly beforePart?: (part: FilePart) => Promise<void> | void
  readonly end?: () => void
}

/** Does the other thread's work here, over a channel. */
export function secondThread({
  signal = new AbortController().signal,
  storage = new MemoryOutputs(),
  beforePart,
  end,
}: SecondThread = {}): WriterThread {
  const { handlers } = openWriterThread({ openStorage: () => storage })
  const part: typeof handlers.part = async (request, call) => {
    await beforePart?.(request)
    return handlers.part(request, call)
  }
  const start = inProcess({ writer: () => Promise.resolve({ handlers: { ...handlers, part } }) })
  const thread = new WriterThread(new Channel<WriterThreadCalls>(start, 'writer'), signal)
  return end ? Object.assign(thread, { end }) : thread
}
