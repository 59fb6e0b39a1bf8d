import { yieldToEvents } from '../../lib/abort.ts'
import type { EngineError } from '../errors.ts'
import { packedFault } from './packed-fault.ts'

const HEADER = 10
/**
 * Compressed bytes to hand over at once. All that comes out of them is in memory together, however much it is
 * (https://compression.spec.whatwg.org/#decompress-and-enqueue-a-chunk), and it can be a thousand times as much.
 */
const PIECE = 64 * 1024

/**
 * Decompresses gzip as a stream; a file of several members (`cat a.gz b.gz`, bgzip) too.
 *
 * `DecompressionStream` refuses whatever follows the first member and doesn't say where that ended
 * (https://compression.spec.whatwg.org/#decompress-and-enqueue-a-chunk). So each place that looks like the header of
 * another member is looked at: it is one if the four bytes before it are the size of what has come out so far, as
 * every member's trailer says (RFC 1952, 2.3.1).
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
      const bytes = join(held, slice)
      const last = bytes.length - HEADER
      let from = 0
      for (let at = nextHeader(bytes, 0, last); at >= 0; at = nextHeader(bytes, at + 1, last)) {
        // The very first header isn't the end of anything.
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
      before = join(before, bytes.subarray(Math.max(0, keep - 4), keep)).slice(-4)
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

/** Browsers tell a file that is cut short only by the words of their errors. */
const CUT_SHORT = /truncated|unexpected end|without reaching the end/i
const FOLLOWED = /junk|after the end|incorrect header check/i

function corrupt(fault: GzipFault, taken: number): EngineError {
  const words = fault.cause instanceof Error ? fault.cause.message : ''
  const atEnd = fault.when === 'close'
  // The header of the first member was seen to be one.
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

/** One gzip member on its way through a `DecompressionStream`, never more than one piece of input ahead. */
class Member {
  /** Bytes that came out. */
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

  /** Feeds compressed bytes and gives what comes out. With `drain`, all that can come out of them. */
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

  /** Ends the member, and gives the rest of what comes out. */
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
      // The one listed first wins when both are there.
      const chunk = await Promise.race([end, this.read(when)])
      if (!chunk) return
      yield* this.take(chunk)
    }
  }

  /** The read that is under way, or a new one: a read that lost a race is not lost. */
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

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

/** Where a member's header may begin, at or after `from` and not after `last`; -1 if nowhere. */
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
