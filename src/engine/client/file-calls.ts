import { ABORT_GRACE, type CallSettings } from '../channel/channel.ts'
import type { ChannelPool } from '../channel/pool.ts'
import type { ConvertCalls } from '../convert/calls.ts'

type FileCall = Exclude<keyof ConvertCalls, 'warmUp' | 'tryRows'>

/**
 * Bytes of a file after which a call's worker is thrown away, because its heap never shrinks. Below, the conversion
 * that follows an inspection finds code that is loaded and warm, and so does what follows a small conversion.
 */
const KEPT_BELOW: Readonly<Record<FileCall, number>> = {
  inspect: 256 * 2 ** 20,
  database: Number.POSITIVE_INFINITY,
  preview: Number.POSITIVE_INFINITY,
  source: 256 * 2 ** 20,
  sample: Number.POSITIVE_INFINITY,
  check: 256 * 2 ** 20,
  hash: Number.POSITIVE_INFINITY,
  verify: 256 * 2 ** 20,
  convert: 8 * 2 ** 20,
  adopt: 8 * 2 ** 20,
  combine: 8 * 2 ** 20,
  ingest: 256 * 2 ** 20,
}

/** Runs a call alone in a worker. Where it fails, nothing that it left behind costs another call anything. */
export function callWithFile<N extends FileCall>(
  pool: ChannelPool<ConvertCalls>,
  name: N,
  request: ConvertCalls[N]['request'],
  { signal, onProgress }: { readonly signal: AbortSignal } & Pick<CallSettings<ConvertCalls[N]>, 'onProgress'>,
): Promise<ConvertCalls[N]['result']> {
  return pool.use(signal, async (channel) => {
    try {
      const result = await channel.call(name, request, { signal, onProgress, grace: ABORT_GRACE })
      if (sizeOf(request) > KEPT_BELOW[name]) channel.close()
      return result
    } catch (error) {
      channel.close()
      throw error
    }
  })
}

function sizeOf(request: ConvertCalls[FileCall]['request']): number {
  return 'files' in request ? request.files.reduce((sum, { size }) => sum + size, 0) : request.file.size
}
