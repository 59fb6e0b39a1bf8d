import type { FormatId } from '../../contract/formats.ts'
import { isAbort } from '../../lib/abort.ts'
import { chunksOf } from '../../lib/streams.ts'
import type { ConvertContext } from './carry.ts'
import { convertFile } from './convert.ts'
import { EngineError } from '../errors.ts'
import { readerOf } from '../formats/registry.ts'
import type { WrittenTable } from '../formats/types.ts'
import type { OutputStorage, PendingOutput } from '../storage/output.ts'
import type { ConvertResult } from './protocol.ts'
import type { AdoptRequest } from './calls.ts'

/**
 * Adopts a file made by another program as the output of a conversion. The source is read by its plan, and the writer's
 * output is discarded; the other program's file is kept, read back and compared.
 * @throws {EngineError} `verification` if its contents differ from the source's; it's discarded then
 */
export async function adoptFile(
  file: File,
  { made, ...request }: AdoptRequest,
  context: Pick<ConvertContext, 'signal' | 'progress' | 'storage'>,
): Promise<ConvertResult> {
  const { signal, progress } = context
  const storage = new GivenOutput(context.storage, made, signal)
  const locate: ConvertContext['locate'] = (output, written) => locateIn(output, request.target, written, signal)
  try {
    return await convertFile(file, request, { signal, progress, storage, locate })
  } catch (error) {
    if (isAbort(error) || !(error instanceof EngineError)) throw error
    // While the output is read back, damage is in the other program's file.
    if (error.code !== 'verification' && !storage.committed) throw error
    throw new EngineError('verification', `The file that came back isn’t what was sent. ${error.message}`, {
      place: error.place,
      remedy: 'Convert it in this browser instead.',
      details: error.details,
      cause: error,
    })
  }
}

/** Another program may name sheets or lay out JSON differently; neither counts as a difference. */
async function locateIn(
  file: File,
  format: FormatId,
  written: readonly WrittenTable[],
  signal: AbortSignal,
): Promise<readonly WrittenTable[]> {
  if (format !== 'xlsx' && format !== 'json') return written
  const reader = await readerOf(format)
  const found = await reader.inspect(file, {}, { signal, progress: () => undefined })
  if (format === 'json') return written.map((table) => ({ ...table, settings: found.settings }))
  const sheets = found.tables.map(({ name }) => name)
  let next = 0
  return written.map((table) => {
    const tables = table.tables.map((name) => (sheets.includes(name) ? name : (sheets[next] ?? name)))
    next += table.tables.length
    // The first row has the names, whatever it looks like.
    const headerRow = Object.fromEntries(tables.map((name) => [name ?? '', 1]))
    return { ...table, tables, settings: { kind: 'xlsx', headerRow } }
  })
}

/** Keeps the given file in place of the first output. The second one, rejected rows, is kept as written. */
class GivenOutput implements OutputStorage {
  committed = false
  private taken = false
  private readonly storage: OutputStorage
  private readonly made: Blob
  private readonly signal: AbortSignal

  constructor(storage: OutputStorage, made: Blob, signal: AbortSignal) {
    this.storage = storage
    this.made = made
    this.signal = signal
  }

  async create(jobId: string): Promise<PendingOutput> {
    const output = await this.storage.create(jobId)
    if (this.taken) return output
    this.taken = true
    let size = 0
    return {
      id: output.id,
      sink: {
        get size() {
          return size
        },
        write: (bytes) => {
          size += bytes.length
          return Promise.resolve()
        },
      },
      commit: async () => {
        for await (const chunk of chunksOf(this.made.stream())) {
          this.signal.throwIfAborted()
          await output.sink.write(chunk)
        }
        const file = await output.commit()
        this.committed = true
        return file
      },
      discard: () => output.discard(),
    }
  }
}
