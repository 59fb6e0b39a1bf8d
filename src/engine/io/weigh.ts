import type { EncodingCandidate } from '../../tables/plan.ts'
import { weigh, type Candidate } from './candidates.ts'
import { candidate, type FoundEncoding } from './encoding.ts'
import { Evidence } from './evidence.ts'
import { makeTranscoder } from './transcode.ts'
import { textOf } from './utf8.ts'

/** By how many nats the likeliest has to be ahead to be no guess. */
const CLEARLY = 10
/** Others that are offered: so many, and no further behind. */
const OFFERED = 5
const OUT_OF_QUESTION = 60

/** The encoding of a text by all of its bytes beyond ASCII. */
export async function weighSlices(slices: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<FoundEncoding> {
  const evidence = new Evidence()
  for await (const slice of slices) {
    signal.throwIfAborted()
    evidence.push(slice)
  }
  return judge(evidence)
}

/** The encoding of a text that is there as a whole. */
export function weighBytes(text: Uint8Array): FoundEncoding {
  const evidence = new Evidence()
  evidence.push(text)
  return judge(evidence)
}

function judge(evidence: Evidence): FoundEncoding {
  evidence.end()
  const weighed = weigh(evidence)
  const [best, next] = weighed
  return {
    candidates: offered(weighed, evidence.lines),
    doubt: next !== undefined && next.cost - best.cost < CLEARLY,
    weighed: true,
    badByte: evidence.firstInvalid,
  }
}

function offered(weighed: readonly Candidate[], lines: readonly Uint8Array[]): EncodingCandidate[] {
  const [best, next] = weighed
  const some = weighed.slice(0, OFFERED).filter(({ cost }) => cost - best.cost < OUT_OF_QUESTION)
  // The line that tells the likeliest two apart.
  const [first = new Uint8Array(0)] = lines
  const telling = lines.find((line) => !next || read(line, best.encoding) !== read(line, next.encoding)) ?? first
  const at = next ? firstDifference(read(telling, best.encoding), read(telling, next.encoding)) : 0
  return some.map(({ encoding }) => candidate(encoding, read(telling, encoding), at))
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

const read = (bytes: Uint8Array, encoding: string): string => textOf(bytes, makeTranscoder(encoding))
