import {
  autocompletion,
  closeCompletion,
  completionStatus,
  pickedCompletion,
  selectedCompletion,
  snippet,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import {
  comparedAt,
  folded,
  literalOf,
  originOf,
  type Parsed,
  placeAt,
  type Place,
  scopeAt,
  MOST,
  suggestionsAt,
  type Suggestion,
} from '../../../../lib/duckdb-sql/index.ts'
import { editorData } from './data.ts'
import { functionInfo, tableInfo } from './info.ts'
import { parsedAt } from './statements.ts'

export const completion: Extension = [
  autocompletion({
    override: [complete, completeValues],
    maxRenderedOptions: 80,
    // By code units, since comparing a thousand names by locale takes longer than everything else.
    compareCompletions: (a, b) => {
      const [first, second] = [a.sortText ?? a.label, b.sortText ?? b.label]
      return first < second ? -1 : first > second ? 1 : 0
    },
  }),
  // Scrolling elements must be reachable by keyboard. Here Tab accepts the selected completion before it could get
  // there.
  EditorView.updateListener.of(({ state, view }) => {
    if (completionStatus(state) !== 'active') return
    view.dom.querySelector('.cm-tooltip-autocomplete > ul')?.setAttribute('tabindex', '0')
  }),
]

/** If the name is complete, Enter starts a new line although the list is still shown. */
export function closeWhenWritten(view: EditorView): false {
  const selected = selectedCompletion(view.state)
  const label = selected?.type === VALUE ? undefined : (selected?.displayLabel ?? selected?.label)?.toLowerCase()
  const { head } = view.state.selection.main
  const from = head - (label?.length ?? 0)
  // A quoted name isn't complete until its quote is closed.
  const quoted = /['"]/.test(view.state.sliceDoc(from - 1, from))
  if (label && !quoted && view.state.sliceDoc(from, head).toLowerCase() === label) closeCompletion(view)
  return false
}

/** Completions at the cursor. Never waits: what only the engine knows is available the next time. */
export function complete(context: CompletionContext): CompletionResult | null {
  const statement = parsedAt(context.state, context.pos)
  if (!statement) return null
  const { parsed, start } = statement
  const position = context.pos - start
  const place = placeAt(parsed.text, position, parsed.all)
  const empty = place.from === position
  if (place.kind === 'none' || place.kind === 'name') return null
  if (empty && !context.explicit && !opensByItself(place, parsed, position)) return null
  const data = context.state.facet(editorData)
  const scope = scopeAt(parsed, place.from)
  const from = place.from + (place.quoted ? 1 : 0)
  const typed = parsed.text.slice(from, position)
  let waits = false
  const described = (query: string): ReturnType<typeof data.described> => {
    const known = data.described(query)
    waits ||= known === undefined
    return known
  }
  const sources = { ...data, described, typed, lowerCase: writesLowerCase(parsed, place.from) }
  const suggestions = suggestionsAt(place, scope, sources)
  const letters = isText(place) ? /^[^']*$/ : place.quoted ? /^[^"]*$/ : /^[\w$\u0080-\uffff]*$/
  return {
    from: start + from,
    options: suggestions.map((suggestion, index) => ({
      ...toCompletion(suggestion, index, place, place.to - position),
      ...matching(suggestion.label, typed),
    })),
    getMatch: ({ label, displayLabel }, matched) =>
      matched && label.length === (displayLabel ?? label).length ? matched : [],
    // A list that was cut, made for other letters, or made with incomplete data may lack some completions.
    validFor: (text, _from, _to, state) =>
      !waits &&
      typed !== '' &&
      caseOf(text) === caseOf(typed) &&
      isAscii(text) === isAscii(typed) &&
      state.facet(editorData) === data &&
      suggestions.length < MOST &&
      text.startsWith(typed) &&
      letters.test(text),
  }
}

/**
 * What typed letters are compared with. CodeMirror ranks names whose case or accents differ from the letters below all
 * others, but to SQL they're the same.
 */
function matching(name: string, typed: string): Pick<Completion, 'label' | 'displayLabel'> {
  const same = folded(name, typed)
  const fits = typed !== '' && same.startsWith(typed.toLowerCase())
  const label = !fits || caseOf(typed) === 'mixed' ? name : caseOf(typed) === 'upper' ? same.toUpperCase() : same
  return label === name ? { label } : { label, displayLabel: name }
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

function caseOf(text: string): 'lower' | 'upper' | 'mixed' {
  return text === text.toLowerCase() ? 'lower' : text === text.toUpperCase() ? 'upper' : 'mixed'
}

const VALUE = 'constant'

/** Values of the column in a comparison. They appear when the engine has answered; nothing else waits for them. */
export async function completeValues(context: CompletionContext): Promise<CompletionResult | null> {
  const statement = parsedAt(context.state, context.pos)
  if (!statement) return null
  const { parsed, start } = statement
  const position = context.pos - start
  const compared = comparedAt(parsed.text, position, parsed.all)
  if (!compared) return null
  const data = context.state.facet(editorData)
  const origin = originOf(scopeAt(parsed, compared.from), compared, data)
  const values = origin && (await data.values(origin))
  // An empty list would stay open while typing continues, even once the engine could answer.
  if (!origin || !values?.length || context.aborted) return null
  const { from, quoted, taken } = compared
  const options = values.flatMap(({ text, count, partial }, index): Completion[] => {
    const literal = literalOf(origin.type, text)
    if (literal === null || text === '' || text.length > LONGEST || taken.includes(text)) return []
    return [
      {
        // As typed, so that typing matches it. In a string, a quote is doubled.
        label: (quoted ? literal.slice(1, -1) : text).replace(/\s+/g, ' '),
        displayLabel: text.replace(/\s+/g, ' '),
        detail: `${count.toLocaleString('en')}${partial ? '+' : ''}`,
        type: VALUE,
        boost: 99,
        sortText: `${index}`.padStart(6, '0'),
        apply: (view, picked, at, to) =>
          insert(
            view,
            picked,
            literal,
            quoted ? at - 1 : at,
            closedAt(view, to, quoted ? compared.to - position : 0, TEXT_END),
          ),
      },
    ]
  })
  return {
    from: start + from + (quoted ? 1 : 0),
    options,
    validFor: quoted ? /^(?:[^']|'')*$/ : /^[\w\u0080-\uffff]*$/,
  }
}

/** Longest value to offer, in characters. */
const LONGEST = 200

/** Whether a list should open before anything is typed: after a dot, FROM, ON. */
function opensByItself({ kind }: Place, { text, tokens }: Parsed, position: number): boolean {
  if (kind === 'file' || kind === 'part' || kind === 'option' || kind === 'using' || kind === 'query') return true
  if (kind === 'member' || kind === 'relation' || kind === 'target') return text.charAt(position - 1) !== '('
  const before = tokens.findLast(({ to }) => to <= position)
  return kind === 'value' && /^on$/i.test(before ? text.slice(before.from, before.to) : '')
}

/** Whether the quotes are those of a string, not of a name. */
const isText = ({ kind, quoted }: Place): boolean => quoted && (kind === 'file' || kind === 'part')

/** Whether the statement's keywords are in lower case. */
function writesLowerCase({ text, tokens }: Parsed, before: number): boolean {
  const first = tokens.find(({ kind, to }) => kind === 'word' && to < before)
  return first !== undefined && /^[a-z]/.test(text.charAt(first.from))
}

function toCompletion(suggestion: Suggestion, index: number, place: Place, rest: number): Completion {
  const { kind, label, detail, rank } = suggestion
  return {
    label,
    detail,
    boost: rank,
    // Columns keep their order in the table.
    ...(kind === 'column' ? { sortText: `${index}`.padStart(6, '0') } : {}),
    type: kind,
    ...(suggestion.function || suggestion.columns ? { info: () => infoOf(suggestion) } : {}),
    apply: (view, picked, from, to) => apply(view, picked, suggestion, place.quoted ? from - 1 : from, to, rest, place),
  }
}

function infoOf({ label, detail, function: known, columns, rows }: Suggestion): HTMLElement | null {
  if (known) return functionInfo(known)
  return columns ? tableInfo(label, detail, rows ?? null, columns) : null
}

function apply(
  view: EditorView,
  picked: Completion,
  { kind, text }: Suggestion,
  from: number,
  cursor: number,
  rest: number,
  place: Place,
): void {
  const to = closedAt(view, cursor, place.quoted ? rest : 0, isText(place) ? TEXT_END : NAME_END)
  if (kind === 'snippet') {
    snippet(text.replaceAll('#{', '${'))(view, picked, from, to)
    return
  }
  const next = view.state.sliceDoc(to, to + 1)
  const call = kind === 'function' && next !== '('
  const opens = (kind === 'workspace' || kind === 'dataset') && next !== '.'
  insert(view, picked, `${text}${call ? '()' : opens ? '.' : ''}`, from, to, call ? 1 : 0)
  if (opens || text.endsWith('= ')) startCompletion(view)
}

const TEXT_END = /^(?:[^'\n]|'')*'/
const NAME_END = /^[^"\n]*"/

/**
 * The end of what a completion replaces: in quotes, it includes the rest after the cursor.
 * @param rest number of characters after the cursor, which unlike the end doesn't change with typing
 */
function closedAt({ state }: EditorView, cursor: number, rest: number, closing: RegExp): number {
  return cursor + (closing.exec(state.sliceDoc(cursor, cursor + rest))?.[0].length ?? 0)
}

/** @param back characters between the cursor and the end of the inserted text */
function insert(view: EditorView, picked: Completion, text: string, from: number, to: number, back = 0): void {
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length - back },
    annotations: pickedCompletion.of(picked),
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}
