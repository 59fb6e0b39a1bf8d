import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { TextField, type TypedField } from './Field.tsx'
import { type Mistyped, NONE_MISTYPED, numberProblem } from './mistyped.ts'

type Change = (old: Mistyped) => Mistyped

interface FormProps {
  readonly mistyped: Mistyped
  readonly onMistyped: (change: Change) => void
}

interface Form extends FormProps {
  /** False once all of the form goes: what stands in it is kept then. */
  readonly isOpen: () => boolean
}

const FormContext = createContext<Form | null>(null)

/**
 * Keeps what is mistyped in the fields in it, for whoever refuses to go on until it's corrected. It's there again when the
 * form is; it goes with a field that goes alone.
 */
export function CheckedForm({ mistyped, onMistyped, children }: FormProps & { readonly children: ReactNode }) {
  const open = useRef(false)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])
  const form = useMemo(() => ({ mistyped, onMistyped, isOpen: () => open.current }), [mistyped, onMistyped])
  return <FormContext value={form}>{children}</FormContext>
}

interface CheckedFieldProps extends ComponentProps<typeof TypedField> {
  /** What is wrong with a text; null where it can be taken over. */
  readonly check: (text: string) => string | null
  /** What it's called among the fields of the form, where its label alone doesn't say it. */
  readonly fullLabel?: string
  /** Whether a wrong text goes when the field is left, so that it shows again what is in force. */
  readonly reverts?: boolean
}

/** Shows what is in force, and takes over what passes the check; what doesn't stays as it was typed, and is said to be wrong. */
export function CheckedField({
  label,
  fullLabel = label,
  value,
  error,
  check,
  reverts,
  onChange,
  ...rest
}: CheckedFieldProps) {
  const own = useState(NONE_MISTYPED)
  const form = useContext(FormContext)
  const [mistyped, setMistyped] = form ? [form.mistyped, form.onMistyped] : own
  const [typed, setTyped] = useState<string | null>(null)
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  useEffect(
    () => () => {
      if (latest.current?.isOpen()) latest.current.onMistyped(without(fullLabel))
    },
    [fullLabel],
  )
  const wrong = mistyped[fullLabel]
  return (
    <TextField
      {...rest}
      label={label}
      error={wrong?.error ?? error}
      value={wrong?.text ?? typed ?? value}
      onChange={(text) => {
        setTyped(text)
        const problem = check(text)
        if (problem === null) {
          if (wrong) setMistyped(without(fullLabel))
          onChange(text)
        } else setMistyped((old) => ({ ...old, [fullLabel]: { text, error: problem } }))
      }}
      onBlur={() => {
        setTyped(null)
        if (reverts && wrong) setMistyped(without(fullLabel))
      }}
    />
  )
}

function without(label: string): Change {
  return (old) => {
    const { [label]: _, ...others } = old
    return others
  }
}

interface NumberFieldProps extends Pick<CheckedFieldProps, 'label' | 'hint' | 'error' | 'reverts'> {
  readonly value: number
  readonly onChange: (value: number) => void
  readonly least?: number
  readonly most?: number
}

/** A whole number. */
export function NumberField({ value, onChange, least = 0, most = 999_999_999, ...rest }: NumberFieldProps) {
  return (
    <CheckedField
      {...rest}
      inputMode="numeric"
      value={String(value)}
      check={(text) => numberProblem(text, least, most)}
      onChange={(text) => onChange(Number(text))}
    />
  )
}
