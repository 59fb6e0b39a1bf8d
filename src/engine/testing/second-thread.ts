import { Channel } from '../channel/channel.ts'
import { inProcess } from '../channel/testing.ts'
import { convertFile } from '../convert/convert.ts'
import type { ConvertRequest, ConvertResult } from '../convert/protocol.ts'
import { MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import { type WriterThreadCalls, WriterThread } from '../convert/writer-thread/writer-thread.ts'
import { openWriterThread } from '../convert/writer-thread/role.ts'
import { QUIET } from './quiet.ts'

/* Runs a conversion's second thread in this one. Tests only. */

export interface SecondThread {
  readonly signal?: AbortSignal
  readonly storage?: OutputStorage
  readonly end?: () => void
}

/** Calls still go through a channel. */
export function secondThread({
  signal = new AbortController().signal,
  storage = new MemoryOutputs(),
  end,
}: SecondThread = {}): WriterThread {
  const { handlers } = openWriterThread({ openStorage: () => storage })
  const start = inProcess({ writer: () => Promise.resolve({ handlers }) })
  const thread = new WriterThread(new Channel<WriterThreadCalls>(start, 'writer'), signal)
  return end ? Object.assign(thread, { end }) : thread
}

/** Converts a file as if in two threads. */
export function convertInTwoThreads(
  file: File,
  request: Omit<ConvertRequest, 'jobId'>,
  storage = new MemoryOutputs(),
): Promise<ConvertResult> {
  const startThread = (): WriterThread => secondThread({ storage })
  return convertFile(file, { jobId: 'job', ...request }, { ...QUIET, storage, startThread })
}
