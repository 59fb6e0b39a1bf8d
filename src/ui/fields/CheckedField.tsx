import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react'
import { TextField, type TypedField } from './Field.tsx'
import { type Mistyped, NONE_MISTYPED, numberProblem } from './mistyped.ts'

type Change = (old: Mistyped) => Mistyped

interface FormProps {
  readonly mistyped: Mistyped
  readonly onMistyped: (change: Change) => void
}

interface Form extends FormProps {
  /** False while the whole form unmounts: then its fields' invalid input is kept. */
  readonly isOpen: () => boolean
}

const FormContext = createContext<Form | null>(null)

/**
 * Holds the invalid input of the fields in it for the caller, who decides what to do until it's corrected. Input
 * survives unmounting the whole form, but not a single field.
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
  /** Says what is wrong with a text; null if it's valid. */
  readonly check: (text: string) => string | null
  /** Its name among the form's fields, if the label alone is ambiguous. */
  readonly fullLabel?: string
  /** Whether invalid input is discarded on blur, so that the field shows the current value again. */
  readonly reverts?: boolean
}

/** Shows the current value and passes on valid input. Invalid input stays as typed, with the reason. */
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

/** A field for whole numbers. */
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
