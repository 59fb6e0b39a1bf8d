import { concatBytes } from '../../lib/bytes.ts'
import type { EngineError } from '../errors.ts'
import { packedFault } from './packed-fault.ts'
import { yieldToEvents } from '../../lib/yielding.ts'

const HEADER = 10
/**
 * Compressed bytes to pass on at once. Browsers hold all of their output in memory together
 * (https://compression.spec.whatwg.org/#decompress-and-enqueue-a-chunk), which can be a thousand times as large.
 */
const PIECE = 64 * 1024

/**
 * Decompresses gzip as a stream, including files of several members (`cat a.gz b.gz`, bgzip). `DecompressionStream`
 * fails on anything after the first member, and doesn't say where that ended
 * (https://compression.spec.whatwg.org/#decompress-and-enqueue-a-chunk). Therefore, each place that looks like the
 * header of another member is checked: it is one if the four bytes before it equal the size of the output so far, as in
 * every member's trailer (RFC 1952, 2.3.1).
 * @throws {EngineError} `corrupt-file`
 */
export async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  let member = new Member()
  let held: Uint8Array = new Uint8Array(0)
  /** The four bytes before `held`. */
  let before: Uint8Array = new Uint8Array(4)
  let taken = 0
  try {
    for await (const slice of source) {
      const bytes = concatBytes([held, slice])
      const last = bytes.length - HEADER
      let from = 0
      for (let at = nextHeader(bytes, 0, last); at >= 0; at = nextHeader(bytes, at + 1, last)) {
        // Nothing precedes the first header.
        if (taken + at === 0) continue
        signal.throwIfAborted()
        yield* member.write(bytes.subarray(from, at), true)
        from = at
        if (member.produced % 2 ** 32 !== readSize(before, bytes, at)) continue
        yield* member.close()
        member = new Member()
      }
      const keep = Math.max(from, last + 1)
      yield* member.write(bytes.subarray(from, keep), false)
      before = concatBytes([before, bytes.subarray(Math.max(0, keep - 4), keep)]).slice(-4)
      held = bytes.slice(keep)
      taken += keep
    }
    yield* member.write(held, false)
    taken += held.length
    yield* member.close()
  } catch (error) {
    if (!(error instanceof GzipFault)) throw error
    throw corrupt(error, taken)
  } finally {
    member.abandon()
  }
}

/** Only the text of browsers' errors says that a file is truncated. */
const CUT_SHORT = /truncated|unexpected end|without reaching the end/i
const FOLLOWED = /junk|after the end|incorrect header check/i

function corrupt(fault: GzipFault, taken: number): EngineError {
  const words = fault.cause instanceof Error ? fault.cause.message : ''
  const atEnd = fault.when === 'close'
  // The header of the first member has been checked before.
  const kind = atEnd && CUT_SHORT.test(words) ? 'cut' : FOLLOWED.test(words) ? 'followed' : 'damaged'
  return packedFault(kind, 'gzip', atEnd ? null : taken, fault.cause)
}

class GzipFault extends Error {
  readonly when: 'write' | 'close'
  constructor(when: 'write' | 'close', cause: unknown) {
    super('gzip', { cause })
    this.when = when
  }
}

/** A gzip member passing through a `DecompressionStream`, with at most one piece of input ahead. */
class Member {
  /** Bytes of output. */
  produced = 0
  private readonly writer: WritableStreamDefaultWriter<BufferSource>
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>
  private reading: Promise<ReadableStreamReadResult<Uint8Array>> | null = null
  private done = false

  constructor() {
    const stream = new DecompressionStream('gzip')
    this.writer = stream.writable.getWriter()
    this.reader = stream.readable.getReader()
    this.writer.closed.catch(() => undefined)
    this.reader.closed.catch(() => undefined)
  }

  /** Passes compressed bytes in, and yields output. With `drain`, yields all of their output. */
  async *write(bytes: Uint8Array, drain: boolean): AsyncGenerator<Uint8Array, void, void> {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE) as Uint8Array<ArrayBuffer>
      yield* this.until(this.writer.write(piece), 'write')
    }
    if (!drain) return
    while (!this.done) {
      const chunk = await Promise.race([this.read('write'), yieldToEvents()])
      if (!chunk) return
      yield* this.take(chunk)
    }
  }

  /** Ends the member, and yields the rest of the output. */
  async *close(): AsyncGenerator<Uint8Array, void, void> {
    const closing = this.writer.close()
    closing.catch(() => undefined)
    while (!this.done) yield* this.take(await this.read('close'))
  }

  abandon(): void {
    if (this.done) return
    this.writer.abort().catch(() => undefined)
    this.reading?.catch(() => undefined)
    this.reader.cancel().catch(() => undefined)
  }

  private async *until(work: Promise<void>, when: 'write'): AsyncGenerator<Uint8Array, void, void> {
    const end = work.then(
      () => null,
      (cause: unknown) => {
        throw new GzipFault(when, cause)
      },
    )
    end.catch(() => undefined)
    while (!this.done) {
      // If both are ready, the first one in the list wins.
      const chunk = await Promise.race([end, this.read(when)])
      if (!chunk) return
      yield* this.take(chunk)
    }
  }

  /** The pending read, or a new one, so that a read that lost a race isn't lost. */
  private read(when: 'write' | 'close'): Promise<ReadableStreamReadResult<Uint8Array>> {
    this.reading ??= this.reader.read()
    return this.reading.catch((cause: unknown) => {
      throw new GzipFault(when, cause)
    })
  }

  private *take(chunk: ReadableStreamReadResult<Uint8Array>): Generator<Uint8Array, void, void> {
    this.reading = null
    if (chunk.done) {
      this.done = true
      return
    }
    this.produced += chunk.value.length
    yield chunk.value
  }
}

/** The next possible header of a member, from `from` up to `last`; -1 if there's none. */
function nextHeader(bytes: Uint8Array, from: number, last: number): number {
  for (let at = bytes.indexOf(0x1f, from); at >= 0 && at <= last; at = bytes.indexOf(0x1f, at + 1)) {
    // Magic, deflate, no reserved flags.
    if (bytes[at + 1] === 0x8b && bytes[at + 2] === 8 && (bytes[at + 3] & 0xe0) === 0) return at
  }
  return -1
}

/** The little-endian number in the four bytes before `at`. */
function readSize(before: Uint8Array, bytes: Uint8Array, at: number): number {
  let size = 0
  for (let i = 1; i <= 4; i++) size = size * 256 + (at - i >= 0 ? bytes[at - i] : before[4 + at - i])
  return size
}
