import { ABORT_GRACE, type CallSettings } from '../channel/channel.ts'
import type { ChannelPool } from '../channel/pool.ts'
import type { ConvertCalls } from '../convert/calls.ts'

type FileCall = Exclude<keyof ConvertCalls, 'warmUp' | 'tryRows'>

/** Runs a call alone in a worker. Where it fails, nothing that it left behind costs another call anything. */
export function callWithFile<N extends FileCall>(
  pool: ChannelPool<ConvertCalls>,
  name: N,
  request: ConvertCalls[N]['request'],
  { signal, onProgress }: { readonly signal: AbortSignal } & Pick<CallSettings<ConvertCalls[N]>, 'onProgress'>,
): Promise<ConvertCalls[N]['result']> {
  return pool.use(signal, async (channel) => {
    try {
      return await channel.call(name, request, { signal, onProgress, grace: ABORT_GRACE })
    } catch (error) {
      channel.close()
      throw error
    }
  })
}
