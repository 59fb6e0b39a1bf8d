import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { MOD } from '../../../ui/overlays/Menu.tsx'
import css from './KeysDialog.module.css'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  [`${MOD}Enter`, 'Run the selection, or the statement under the cursor'],
  [`${MOD}Shift Enter`, 'Run all statements, up to the first that fails'],
  ['Esc', 'Cancel what runs'],
  [`${MOD}Shift F`, 'Format the selection, or all of it'],
  [`${MOD}/`, 'Comment or uncomment lines'],
  [`${MOD}Space`, 'Complete a name, a function or a keyword'],
  [`${MOD}F`, 'Find and replace in the editor'],
  [`${MOD}Shift Space`, 'See what a function takes'],
  ['F8', 'Go to the next problem'],
  ['Esc, then Tab', 'Leave the editor: within it, Tab indents'],
  ['Alt N', 'New query'],
  ['← → Home End', 'On the tabs: go along them'],
  ['F2, Del', 'On a tab: rename it, close it'],
  [`${MOD}Shift ← →`, 'On a tab: move it'],
  ['↑ ↓', 'On the line between editor and result: move it'],
  ['Arrows, Page keys, Home, End', 'In the result: go through cells; with Shift select them'],
  [`${MOD}F`, 'In the result: find a text; Enter goes on, Shift Enter back'],
  [`${MOD}C`, 'In the result: copy what is selected'],
  ['Enter', 'In the result: see all of the value and of its row; Esc closes that'],
  ['Shift F10', 'On a cell: copy it, filter by it'],
  ['Enter', 'On a column’s head: sort by it'],
  ['Alt ↓', 'On a column’s head: sort, filter, pin or hide it'],
  ['Alt ← →', 'On a column’s head: change its width; with Shift move it'],
  [`${MOD}K`, 'Search, and all commands'],
]

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" size="large" open onClose={onClose} cancel="Close">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach that */}
      <dl className={css.keys} tabIndex={0}>
        {KEYS.map(([keys, does]) => (
          <div key={does} className={css.line}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
