import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from '@codemirror/commands'
import { indentUnit } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, Prec, type Extension, RangeSet } from '@codemirror/state'
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view'
import { bringsFiles } from '../../../../ui/overlays/files-dropped.ts'
import type { RunScope } from '../handle.ts'
import { closeWhenWritten, completion } from './completion.ts'
import { highlighting } from './highlight.ts'
import { hover } from './hover.ts'
import { problemMarks } from './problems.ts'
import { signatureHelp } from './signature.ts'
import { statementGutter, boundaries, currentStatement, parsedAt } from './statements.ts'
import { searchTheme, theme, tooltipTheme } from './theme.ts'

interface EditorCommands {
  readonly run: (scope: RunScope) => void
  readonly cancel: () => void
  readonly format: () => void
}

/** The parts of the editor that don't depend on properties. */
export function setup(commands: EditorCommands): Extension {
  return [
    boundaries,
    currentStatement,
    EditorState.allowMultipleSelections.of(true),
    EditorState.languageData.of(() => [
      {
        commentTokens: { line: '--', block: { open: '/*', close: '*/' } },
        closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
      },
    ]),
    indentUnit.of('  '),
    EditorState.tabSize.of(4),
    history(),
    statementGutter,
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    crosshairCursor(),
    highlighting,
    bracketMatching,
    closeBrackets(),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search({ top: true }),
    hover,
    problemMarks,
    placeholder('SELECT … or FROM … (names are suggested as you type)'),
    keys(commands),
    signatureHelp,
    completion,
    theme,
    tooltipTheme,
    searchTheme,
    EditorView.domEventHandlers({
      // The window handles dropped files; their text isn't inserted.
      drop: ({ dataTransfer }) => bringsFiles(dataTransfer),
      paste: ({ clipboardData }) => bringsFiles(clipboardData) && clipboardData?.getData('text/plain') === '',
    }),
  ]
}

function keys({ run, cancel, format }: EditorCommands): Extension {
  return [
    Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: (view) => {
            // Running a statement ends writing it.
            closeCompletion(view)
            return done(() => run(view.state.selection.main.empty ? 'statement' : 'selection'))
          },
        },
        {
          key: 'Shift-Mod-Enter',
          run: (view) => {
            closeCompletion(view)
            return done(() => run('all'))
          },
        },
        { key: 'Mod-Shift-f', run: () => done(format) },
        { key: 'Shift-Alt-f', run: () => done(format) },
        { key: 'Mod-/', run: toggleComment },
        { key: 'Enter', run: closeWhenWritten },
        { key: 'Tab', run: acceptCompletion },
      ]),
    ),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...lintKeymap,
      ...historyKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    Prec.lowest(
      keymap.of([
        {
          key: 'Escape',
          run: () => {
            cancel()
            // The browser and Tab still get the key: after Escape, Tab leaves the editor.
            return false
          },
        },
      ]),
    ),
  ]
}

function done(action: () => void): true {
  action()
  return true
}

const MATCHING = Decoration.mark({ class: 'cm-matchingBracket' })
const ALONE = Decoration.mark({ class: 'cm-nonmatchingBracket' })

/** Marks the bracket at the cursor and its partner, but not in strings and comments. */
const bracketMatching = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }

    update({ docChanged, selectionSet, view }: ViewUpdate): void {
      if (docChanged || selectionSet) this.decorations = decorate(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function decorate({ state }: EditorView): DecorationSet {
  const { main } = state.selection
  const statement = main.empty ? parsedAt(state, main.head) : null
  if (!statement) return Decoration.none
  const { parsed, start } = statement
  const { tokens, partners } = parsed
  const cursor = main.head - start
  const opener = tokens.findIndex(({ from, to }, at) => {
    const touches = (place: number | undefined): boolean => place === cursor || place === cursor - 1
    return to - from === 1 && (partners[at] ?? 0) > 0 && (touches(from) || touches(tokens[partners[at] ?? 0]?.from))
  })
  const open = tokens[opener]
  if (!open) return Decoration.none
  const close = tokens[partners[opener] ?? 0]
  const mark = close && isPair(parsed.text.charAt(open.from), parsed.text.charAt(close.from)) ? MATCHING : ALONE
  const places = mark === MATCHING && close ? [open, close] : [open]
  return RangeSet.of(places.map(({ from, to }) => mark.range(start + from, start + to)))
}

function isPair(open: string, close: string): boolean {
  return ['()', '[]', '{}'].includes(open + close)
}
