import { useState } from 'react'
import { shortened } from '../../../../lib/text.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Field, TextArea } from '../../../../ui/fields/Field.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import css from './Mend.module.css'

/** Longer texts aren't edited within a line of the grid. In characters. */
const LONG = 1000
const EXCERPT = 120
/** Characters in the field at once: with a million in one field, a page hangs. */
const PART = 10_000

/** Whether a text is edited in a dialog: a single-line field would drop its line breaks. */
export const isLongText = (text: string): boolean => text.length > LONG || /[\r\n]/.test(text)

/** The beginning of a text that's too long for the grid. */
export const excerptOf = (text: string): string => shortened(text, EXCERPT)

interface Props {
  /** What it is: `note, line 3`. */
  readonly label: string
  readonly text: string
  readonly disabled: boolean
  readonly invalid?: boolean
  /** Why the input can't be accepted. */
  readonly problem?: string | null
  /** Called while somebody types. */
  readonly onType?: (text: string) => void
  readonly onSave: (text: string) => void
}

/** A text that's long or has several lines: shows its beginning, which opens a dialog with all of it. */
export function LongText(props: Props) {
  const { label, text, disabled, invalid = false } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={css.long}
        aria-label={`Edit ${label}`}
        data-invalid={invalid}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {excerptOf(text)}
      </button>
      {open ? <LongTextDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function LongTextDialog({
  label,
  text: before,
  problem = null,
  onType,
  onSave,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const [text, setText] = useState(before)
  const [part, setPart] = useState(() => ({ start: 0, end: partEnd(before, PART) }))
  const { start, end } = part
  const isWhole = start === 0 && end === text.length
  const type = (typed: string): void => {
    const changed = typedInto(text.slice(start, end), typed)
    const next = text.slice(0, start) + changed + text.slice(end)
    setText(next)
    onType?.(next)
    setPart({ start, end: start + changed.length })
  }
  return (
    <Dialog
      title={`Edit ${label}`}
      open
      onClose={onClose}
      // Changes aren't lost by accident.
      onDismiss={() => (text === before ? onClose() : undefined)}
      size="large"
      action={
        <Button
          look="primary"
          disabled={problem !== null || text === before}
          onClick={() => {
            onSave(text)
            onClose()
          }}
        >
          Save
        </Button>
      }
      foot={<output className={css.state}>{text === before ? null : problem}</output>}
    >
      <Field
        label={
          isWhole
            ? 'Text'
            : `Characters ${formatCount(start + 1)} to ${formatCount(end)} of ${formatCount(text.length)}`
        }
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={16}
            spellCheck={false}
            className={css.part}
            value={text.slice(start, end)}
            onChange={type}
          />
        )}
      </Field>
      {isWhole ? null : (
        <div className={css.parts}>
          <Button
            size="small"
            disabled={start === 0}
            onClick={() => setPart({ start: partEnd(text, Math.max(0, start - PART)), end: start })}
          >
            Previous part
          </Button>
          <Button
            size="small"
            disabled={end === text.length}
            onClick={() => setPart({ start: end, end: partEnd(text, end + PART) })}
          >
            Next part
          </Button>
        </div>
      )}
    </Dialog>
  )
}

/** The text as fields show it, with all line breaks as `\n`. */
const shownText = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/**
 * Applies a change made in a field to the text. Fields turn all line breaks into `\n`, but those outside the change
 * must stay unchanged.
 * @param typed the field's content
 */
export function typedInto(text: string, typed: string): string {
  const shown = shownText(text)
  if (shown === text) return typed
  let start = 0
  while (start < shown.length && start < typed.length && shown[start] === typed[start]) start++
  let [end, typedEnd] = [shown.length, typed.length]
  while (end > start && typedEnd > start && shown[end - 1] === typed[typedEnd - 1]) {
    end--
    typedEnd--
  }
  const place = placesIn(text)
  const changed = text.slice(0, place(start)) + typed.slice(start, typedEnd) + text.slice(place(end))
  // The change may have combined with a neighbouring character to another line break.
  return shownText(changed) === typed ? changed : typed
}

/** The end of a part of about the given length, never within a character or a line break. */
export function partEnd(text: string, about: number): number {
  if (about >= text.length) return text.length
  const isWithin = /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(about - 1, about + 1))
  return isWithin ? about + 1 : about
}

/** Maps positions in the shown text to positions in the original. Ask for them in ascending order. */
function placesIn(text: string): (shown: number) => number {
  let [at, passed] = [0, 0]
  return (shown) => {
    for (; passed < shown; passed++) at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    return at
  }
}
