import type { EncodingCandidate } from '../../tables/plan.ts'
import { weigh, type Candidate } from './candidates.ts'
import { candidate, type FoundEncoding } from './encoding.ts'
import { Evidence } from './evidence.ts'
import { makeTranscoder } from './transcode.ts'
import { textOf } from './utf8.ts'

/** Minimum lead of the most likely encoding, in nats, not to be a guess. */
const CLEARLY = 10
/** Maximum number of alternatives to offer, and how far behind they may be. */
const OFFERED = 5
const OUT_OF_QUESTION = 60

/** Detects a text's encoding from all of its bytes beyond ASCII. */
export async function weighSlices(slices: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<FoundEncoding> {
  const evidence = new Evidence()
  for await (const slice of slices) {
    signal.throwIfAborted()
    evidence.push(slice)
  }
  return judge(evidence)
}

/** The same for a text in memory. */
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
  // A line that the two most likely encodings decode differently.
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
