import { EngineError } from '../errors.ts'
import { patternProblem } from '../../tables/meaning.ts'

const NUMERIC = 'YymdHIMSf'
const MOST_DIGITS: ReadonlyMap<string, number> = new Map([
  ['Y', 4],
  ['f', 9],
  ['s', 15],
  ['Q', 15],
])
/** Seconds since 1970 have this many digits from 2001 to 2286; a fraction may follow them without a point. */
const EPOCH_DIGITS = 10
const encoder = new TextEncoder()

/** A part of a strptime pattern, or text between parts. */
export interface Step {
  /** The letter after `%`; empty for a literal. */
  readonly part: string
  readonly literal: Uint8Array
  /** Minimum and maximum digits of a numeric part. */
  readonly least: number
  readonly most: number
  /** Whether the pattern continues with a point. */
  readonly point: boolean
  /** Whether it's a day beside a month's name, which may be written `3rd` or `1er`. */
  readonly ordinal: boolean
}

function isNumber(token: string | undefined): boolean {
  return token !== undefined && token.length === 2 && token.startsWith('%') && NUMERIC.includes(token.charAt(1))
}

/**
 * Compiles a strptime pattern.
 * @throws {EngineError} `invalid-plan` for an unknown part, or a missing year where a date is wanted
 */
export function stepsOf(pattern: string, wantsDate = false): readonly Step[] {
  const problem = patternProblem(pattern, wantsDate)
  if (problem) {
    throw new EngineError('invalid-plan', `The date format “${pattern}” ${problem.what}.`, { remedy: problem.remedy })
  }
  const steps: Step[] = []
  const tokens: readonly string[] = pattern.match(/%[^]|[^%]+|%$/g) ?? []
  const named = tokens.includes('%b') || tokens.includes('%B')
  for (const [i, token] of tokens.entries()) {
    if (!token.startsWith('%') || token === '%%') {
      const bytes = encoder.encode(token === '%%' ? '%' : token)
      steps.push({ part: '', literal: bytes, least: 0, most: 0, point: false, ordinal: false })
      continue
    }
    const part = token.slice(1)
    const joined = isNumber(tokens[i + 1]) || isNumber(tokens[i - 1])
    const most = part === 's' && isNumber(tokens[i + 1]) ? EPOCH_DIGITS : (MOST_DIGITS.get(part) ?? 2)
    const least = part === 'Y' ? 4 : part === 'f' || !joined ? 1 : 2
    const point = (tokens[i + 1] ?? '').startsWith('.')
    steps.push({ part, literal: new Uint8Array(0), least, most, point, ordinal: part === 'd' && named })
  }
  return steps
}
