import { useState } from 'react'
import { shortened } from '../../../../lib/text.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Field, TextArea } from '../../../../ui/fields/Field.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import css from './Mend.module.css'

/** Characters beyond which a text isn't edited in a line of the grid. */
const LONG = 1000
const EXCERPT = 120
/** Characters in the field at once: a page with a million of them in one field stands still. */
const PART = 10_000

/** Whether a text is edited in a window of its own: a field of one line would drop its line ends. */
export const isLongText = (text: string): boolean => text.length > LONG || /[\r\n]/.test(text)

/** The beginning of a text that's too long for a grid. */
export const excerptOf = (text: string): string => shortened(text, EXCERPT)

interface Props {
  /** Of what: `note, line 3`. */
  readonly label: string
  readonly text: string
  readonly disabled: boolean
  readonly invalid?: boolean
  /** Why what was typed can't be taken over. */
  readonly problem?: string | null
  /** Given the text while somebody types. */
  readonly onType?: (text: string) => void
  readonly onSave: (text: string) => void
}

/** A text that is long or has several lines: its beginning, which opens all of it. */
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
      // What was typed isn't lost by a slip.
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

/** Text as fields show it: all line ends are `\n` there. */
const shownText = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/**
 * What a text is once it was changed in a field, which makes all line ends `\n`: those outside of what was typed stay as
 * they were.
 * @param typed what the field has now
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
  // What was typed may make another line end of one beside it.
  return shownText(changed) === typed ? changed : typed
}

/** Where a part of a text ends that's to be about so long: never within a character or a line end. */
export function partEnd(text: string, about: number): number {
  if (about >= text.length) return text.length
  const isWithin = /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(about - 1, about + 1))
  return isWithin ? about + 1 : about
}

/** Tells where a place in the text as it's shown is in the text; the places have to come in order. */
function placesIn(text: string): (shown: number) => number {
  let [at, passed] = [0, 0]
  return (shown) => {
    for (; passed < shown; passed++) at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    return at
  }
}
