import type { Note } from '../../../tables/plan.ts'
import { COMMA, CR, LF } from '../../../lib/ascii.ts'
import { KIND, MORE, type JsonScanner, type Scanned } from '../../columns/json/scanner.ts'
import { LineRows } from './line-rows.ts'
import { RowSource, STEP, type Step } from './rows.ts'

/*
 * Elasticsearch's and OpenSearch's bulk format: each document follows a line with its action, such as {"index": {"_id":
 * "1"}}. Some actions have no document. https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk
 */

const [BRACE, END_BRACE] = [0x7b, 0x7d]
const decoder = new TextDecoder()
const ACTIONS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete'])
/** Keys of an action's metadata. */
const ABOUT =
  /^(_?(index|id|type|routing|parent|version|version_type|timestamp|ttl)|dynamic_templates|if_primary_term|if_seq_no|list_executed_pipelines|op_type|pipeline|require_alias|require_data_stream|retry_on_conflict)$/
/** Lines to look at when detecting the format. */
const MOST_LOOKED = 100

/** For documents with actions before them. */
export const BULK: Note = {
  code: 'bulk-actions',
  message:
    'The rows are the documents of Elasticsearch’s bulk format. What the line before each says of it, such as “_index” and “_id”, are columns of its row; whether it’s indexed or created is left out.',
}

interface Action {
  readonly name: string
  /** Where the metadata object begins. */
  readonly start: number
  /** Whether all its keys are ones that Elasticsearch knows. */
  readonly isUsual: boolean
}

/** Parses an action that takes up the rest of the scanner's text; null for any other text. */
function actionAt(scanner: JsonScanner): Action | null {
  const keyText = (): string => decoder.decode(scanner.bytes.subarray(scanner.start, scanner.end))
  if (scanner.space() !== BRACE) return null
  scanner.pos++
  if (scanner.key(scanner.space()) < 0) return null
  const name = keyText()
  if (!ACTIONS.has(name) || scanner.space() !== BRACE) return null
  const start = scanner.pos
  if (scanner.value() < 0 || scanner.space() !== END_BRACE) return null
  scanner.pos++
  scanner.space()
  if (scanner.pos < scanner.limit) return null
  scanner.pos = start + 1
  let isUsual = true
  for (let c = scanner.space(); c !== END_BRACE; c = scanner.space()) {
    if (c === COMMA) {
      scanner.pos++
      c = scanner.space()
    }
    scanner.key(c)
    isUsual &&= ABOUT.test(keyText())
    scanner.value()
  }
  return { name, start, isUsual }
}

/**
 * Whether a text is in bulk format and has documents.
 * @param sample its beginning, followed by a 0
 * @param complete whether that's the whole text
 */
export function isBulk(sample: Uint8Array, complete: boolean, scanner: JsonScanner): boolean {
  const limit = sample.length - 1
  let [at, lines, documents, others] = [0, 0, 0, 0]
  /** Whether a document should follow, and whether it's a row. */
  let wanted: 'none' | 'row' | 'other' = 'none'
  while (at < limit && lines < MOST_LOOKED) {
    const found = sample.indexOf(LF, at)
    const isCut = found < 0 && !complete
    const end = found < 0 ? limit : found
    scanner.reset(sample, at, end, true)
    at = end + 1
    const opener = scanner.space()
    if (scanner.pos >= end) continue
    const start = scanner.pos
    lines++
    const action = isCut ? null : actionAt(scanner)
    if (action?.isUsual) {
      wanted = action.name === 'delete' ? 'none' : action.name === 'update' ? 'other' : 'row'
      continue
    }
    if (lines === 1) return false
    scanner.reset(sample, start, end, true)
    const isObject = opener === BRACE && (isCut || scanner.value() === KIND.object)
    if (wanted === 'none' || !isObject) others++
    else if (wanted === 'row') documents++
    wanted = 'none'
  }
  // Broken lines are reported to the person later, and don't change the format.
  return documents > 0 && others * 10 <= documents
}

interface Line {
  readonly start: number
  readonly end: number
  /** Lines from the current one to this one. */
  readonly lines: number
}

/** A row for each document that is indexed or created, with the action's metadata before the document's members. */
export class BulkRows extends LineRows {
  override get form(): null {
    return null
  }

  /** Rows are scanned again from their action, so no search has to be resumed. */
  override async more(): Promise<void> {
    await RowSource.prototype.more.call(this)
    this.searched = 0
  }

  protected override take(end: number): Step {
    const { tokens, window, rowStart } = this
    const { scanner } = tokens
    const columns = tokens.keys.size
    const action = actionAt(scanner)
    if (!action)
      return this.refuse('The line isn’t an action such as {"index": {}}, and no action before it expects a document.')
    if (action.name === 'delete') return this.refuse('A “delete” has no document, so it isn’t a row.')
    const next = this.nextLine()
    if (next === MORE) {
      // Both lines must be in the window.
      this.at = rowStart
      this.lineNumber--
      window.bytes[end] = LF
      return STEP.more
    }
    const { bytes } = window
    if (!next || this.isAction(next)) return this.refuse(`No document follows “${action.name}”.`)
    scanner.reset(bytes, action.start, end, true)
    tokens.object()
    const { flaw } = scanner
    bytes[end] = LF
    bytes[next.end] = 0
    this.rowEnd = next.end
    this.at = next.end + 1
    this.lineNumber += next.lines
    if (action.name === 'update' || flaw) {
      tokens.forget(columns)
      return this.refuse(flaw?.message ?? 'An “update” has a part of a document, or a script, so it isn’t a row.')
    }
    scanner.reset(bytes, next.start, next.end, true)
    const step = super.take(next.end)
    if (step === STEP.rejected) tokens.forget(columns)
    return step
  }

  protected override scan(): Scanned {
    const { scanner } = this.tokens
    return scanner.space() === BRACE ? this.tokens.object(true) : scanner.value()
  }

  private isAction({ start, end }: Line): boolean {
    const { scanner } = this.tokens
    const { bytes } = this.window
    const after = bytes[end]
    bytes[end] = 0
    scanner.reset(bytes, start, end, true)
    const found = actionAt(scanner)?.isUsual === true
    bytes[end] = after
    return found
  }

  private refuse(message: string): Step {
    this.count++
    if (this.window.bytes[this.rowEnd - 1] === CR) this.rowEnd--
    return this.reject('shape', message)
  }

  /** The next non-blank line; null at the end of the text. */
  private nextLine(): Line | typeof MORE | null {
    const { bytes, limit, eof } = this.window
    for (let [at, lines] = [this.at, 1]; ; lines++) {
      if (at >= limit) return eof ? null : MORE
      const found = bytes.indexOf(LF, at)
      const isWhole = found >= 0 && found < limit
      if (!isWhole && !eof) return MORE
      const end = isWhole ? found : limit
      if (bytes.subarray(at, end).some((byte) => byte > 0x20)) return { start: at, end, lines }
      at = end + 1
    }
  }
}
