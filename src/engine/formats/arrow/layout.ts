import { formatCount } from '../../../lib/counts.ts'
import { EngineError } from '../../errors.ts'
import { bytesOf } from './body.ts'
import { FlatError } from '../../arrow/ipc/flat.ts'
import { parseFooter, parseMessage, type IpcMessage, type IpcSchema } from '../../arrow/ipc/metadata.ts'

/** Position of a message in the file. */
interface MessageAt {
  readonly kind: 'batch' | 'dictionary'
  readonly offset: number
  /** Length of the metadata in bytes, including prefix and padding. The body follows. */
  readonly metadata: number
  readonly body: number
}

/** Positions of all messages in an Arrow file, without their bodies. */
export interface Layout {
  readonly layout: 'file' | 'stream'
  readonly schema: IpcSchema
  /** In reading order. */
  readonly messages: readonly MessageAt[]
  /** False for a stream without an end-of-stream marker, which may be truncated. */
  readonly ended: boolean
}

const DAMAGED = 'Fetch or export the file again: this copy is not complete.'
/** Upper limit for the metadata of a message. */
const MAX_METADATA = 256 * 1024 * 1024

export function corrupt(message: string, place: string, cause?: unknown): EngineError {
  return new EngineError('corrupt-file', message, { place, remedy: DAMAGED, cause })
}

/**
 * Finds all messages of a file.
 * @see https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
 * @throws {EngineError} `corrupt-file`, `unsupported-format`
 */
export async function readLayout(file: Blob): Promise<Layout> {
  const head = text(await bytesOf(file, 0, Math.min(8, file.size)))
  if (head.startsWith('FEA1')) {
    throw new EngineError('unsupported-format', 'This is a Feather file of version 1, which was abandoned in 2020.', {
      remedy: 'Write it again as Feather version 2 or Parquet.',
    })
  }
  const layout = head.startsWith('ARROW1') ? await readFile(file) : await readStream(file)
  if (layout.schema.bigEndian) {
    throw new EngineError('unsupported-format', 'The Arrow file was written by a big-endian machine.', {
      remedy: 'Write it again with little-endian bytes.',
    })
  }
  return layout
}

function text(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

async function readFile(file: Blob): Promise<Layout> {
  const { size } = file
  const tail = await bytesOf(file, Math.max(0, size - 10), size)
  if (size < 20 || text(tail.subarray(4)) !== 'ARROW1') {
    throw corrupt(
      'The Arrow file is cut short: its end, which describes it, is missing.',
      `byte ${size}, the file’s last`,
    )
  }
  const length = new DataView(tail.buffer).getInt32(0, true)
  const start = size - 10 - length
  if (length <= 0 || start < 8) throw corrupt('The Arrow file’s footer has a length that makes no sense.', 'the footer')
  const bytes = await bytesOf(file, start, size - 10)
  const footer = orCorrupt(() => parseFooter(bytes), 'the footer')
  const at =
    (kind: MessageAt['kind']) =>
    (block: Omit<MessageAt, 'kind'>): MessageAt => ({ kind, ...block })
  const messages = [...footer.dictionaries.map(at('dictionary')), ...footer.batches.map(at('batch'))]
  for (const { offset, metadata, body } of messages) {
    if (metadata <= 0 || metadata > MAX_METADATA || offset + metadata + body > start) {
      throw corrupt('The Arrow file’s footer names a record batch outside the file.', 'the footer')
    }
  }
  return { layout: 'file', schema: footer.schema, messages, ended: true }
}

async function readStream(file: Blob): Promise<Layout> {
  const messages: MessageAt[] = []
  let schema: IpcSchema | undefined
  let offset = 0
  let ended = false
  while (offset < file.size) {
    const place = `byte ${formatCount(offset)}`
    const prefix = await prefixAt(file, offset, place)
    if (prefix.length === 0) {
      ended = true
      break
    }
    const metadata = prefix.size + prefix.length
    const bytes = await bytesOf(file, offset + prefix.size, offset + metadata)
    if (bytes.length < prefix.length) throw cutShort(file)
    const message = orCorrupt(() => parseMessage(bytes), place)
    if (message.kind === 'schema') {
      if (schema) throw corrupt('The Arrow stream has a second schema.', place)
      ;({ schema } = message)
    } else if (!schema) {
      throw corrupt('The Arrow stream doesn’t begin with a schema.', place)
    }
    if (offset + metadata + message.body > file.size) throw cutShort(file)
    if (message.kind === 'batch' || message.kind === 'dictionary') {
      messages.push({ kind: message.kind, offset, metadata, body: message.body })
    }
    offset += metadata + message.body
  }
  if (!schema) throw corrupt('The Arrow stream has no schema.', 'its first byte')
  return { layout: 'stream', schema, messages, ended }
}

/** The length of a message's metadata. Libraries before 0.15 wrote no continuation marker in front of it. */
async function prefixAt(file: Blob, offset: number, place: string): Promise<{ size: number; length: number }> {
  const bytes = await bytesOf(file, offset, Math.min(offset + 8, file.size))
  const view = new DataView(bytes.buffer)
  if (bytes.length < 4) throw cutShort(file)
  const first = view.getInt32(0, true)
  if (first === -1 && bytes.length < 8) throw cutShort(file)
  const [size, length] = first === -1 ? [8, view.getInt32(4, true)] : [4, first]
  if (length < 0 || length > MAX_METADATA) throw corrupt('The Arrow stream is damaged: no message begins here.', place)
  return { size, length }
}

function cutShort(file: Blob): EngineError {
  return corrupt(
    'The Arrow stream is cut short, in the middle of a record batch.',
    `byte ${formatCount(file.size)}, the file’s last`,
  )
}

/** Reads a message's metadata. */
export async function messageAt(file: Blob, at: MessageAt, place: string): Promise<IpcMessage> {
  const bytes = await bytesOf(file, at.offset, at.offset + at.metadata)
  if (bytes.length < Math.max(8, at.metadata)) throw corrupt('The Arrow file is cut short.', place)
  const view = new DataView(bytes.buffer)
  const size = view.getInt32(0, true) === -1 ? 8 : 4
  const message = orCorrupt(() => parseMessage(bytes.subarray(size)), place)
  if (message.body > at.body) throw corrupt('A record batch is longer than the footer says.', place)
  if (message.kind !== at.kind) throw corrupt('A message is not what the footer says.', place)
  return message
}

/** Runs `work` and reports any error as a damaged file. */
export function orCorrupt<T>(work: () => T, place: string): T {
  try {
    return work()
  } catch (cause) {
    throw asCorrupt(cause, place)
  }
}

export function asCorrupt(cause: unknown, place: string): unknown {
  if (cause instanceof EngineError || (cause instanceof DOMException && cause.name === 'AbortError')) return cause
  const why = cause instanceof FlatError || (cause instanceof Error && cause.name === 'Lz4Error') ? cause.message : ''
  return corrupt(`The Arrow file is damaged${why === '' ? '' : `: ${why}`}.`, place, cause)
}
