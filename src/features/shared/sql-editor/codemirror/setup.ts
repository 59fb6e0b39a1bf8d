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
import { EditorState, Prec, type Extension } from '@codemirror/state'
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
} from '@codemirror/view'
import { bringsFiles } from '../../../../ui/overlays/files-dropped.ts'
import type { RunScope } from '../handle.ts'
import { bracketMatching } from './brackets.ts'
import { closeWhenWritten, completion } from './completion.ts'
import { highlighting } from './highlight.ts'
import { hover } from './hover.ts'
import { problemMarks } from './problems.ts'
import { signatureHelp } from './signature.ts'
import { statementGutter, boundaries, currentStatement } from './statements.ts'
import { searchTheme, theme, tooltipTheme } from './theme.ts'

interface EditorCommands {
  readonly run: (scope: RunScope) => void
  readonly cancel: () => void
  readonly format: () => void
}

/** All of the editor that no property changes. */
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
      // The window takes dropped files: their text is nothing to put into a statement.
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
            // What is run isn't being written any more.
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
            // It stays to be done for the browser and for Tab, which leaves the editor after it.
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
