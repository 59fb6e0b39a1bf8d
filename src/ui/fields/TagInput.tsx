import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import type { ControlIds } from './Field.tsx'
import { announce } from '../overlays/announce.tsx'
import { cx } from '../cx.ts'
import field from './Field.module.css'
import css from './TagInput.module.css'
import { splitAtCommas } from '../../lib/text.ts'

/** Most characters of a tag, and most tags. */
const MAX_LENGTH = 64
const MAX_TAGS = 32

interface TagInputProps {
  /** The input's ids, as passed by `Field`. */
  readonly ids: ControlIds
  readonly tags: readonly string[]
  readonly onChange: (tags: readonly string[]) => void
  /** Tags that are suggested while typing. */
  readonly suggestions?: readonly string[]
  readonly disabled?: boolean
}

/** Enter, comma or leaving the field adds a tag; Backspace in an empty field removes the last one. */
export function TagInput(props: TagInputProps) {
  const { ids, tags, onChange, suggestions = [], disabled } = props
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const full = tags.length >= MAX_TAGS
  const add = (typed: string): void => {
    const fresh = splitAtCommas(typed)
      .map((word) => word.slice(0, MAX_LENGTH))
      .filter((word, i, all) => !tags.includes(word) && all.indexOf(word) === i)
    setText('')
    if (fresh.length === 0) return
    onChange([...tags, ...fresh].slice(0, MAX_TAGS))
    announce(`${fresh.join(', ')} added`)
  }
  const remove = (tag: string): void => {
    onChange(tags.filter((other) => other !== tag))
    announce(`${tag} removed`)
    input.current?.focus()
  }
  return (
    <div className={cx(field['control'], css.box)} data-disabled={disabled}>
      {tags.map((tag) => (
        <span key={tag} className={css.tag}>
          <span className={css.text}>{tag}</span>
          <button type="button" aria-label={`Remove tag ${tag}`} disabled={disabled} onClick={() => remove(tag)}>
            <X aria-hidden />
          </button>
        </span>
      ))}
      <input
        {...ids}
        ref={input}
        type="text"
        autoComplete="off"
        spellCheck={false}
        className={css.input}
        list={suggestions.length > 0 ? `${ids.id}-known` : undefined}
        value={text}
        maxLength={MAX_LENGTH}
        disabled={disabled || full}
        placeholder={full ? `At most ${MAX_TAGS} tags` : tags.length === 0 ? 'Type a tag, then Enter' : ''}
        onChange={(event) => {
          const { value } = event.currentTarget
          if (value.includes(',')) add(value)
          else setText(value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim()) {
            event.preventDefault()
            add(text)
          }
          const last = tags.at(-1)
          if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last)
        }}
        onBlur={() => add(text)}
      />
      {suggestions.length > 0 ? (
        <datalist id={`${ids.id}-known`}>
          {suggestions
            .filter((tag) => !tags.includes(tag))
            .map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
        </datalist>
      ) : null}
    </div>
  )
}
