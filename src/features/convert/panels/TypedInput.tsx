import { useState, type ComponentProps } from 'react'
import { Field, TextInput } from '../../../ui/Field.tsx'

interface Props extends Omit<ComponentProps<typeof TextInput>, 'defaultValue'> {
  /** What is in force, as text. */
  readonly value: string
}

/** Shows what is in force; while somebody types in it, what they typed, whatever can be made of it so far. */
export function TypedInput({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      {...rest}
      value={typed ?? value}
      onChange={(text) => {
        setTyped(text)
        onChange(text)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

interface NumberProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
  readonly hint?: string
}

/** A whole number that isn't negative; anything else is no change. */
export function NumberField({ label, value, onChange, hint }: NumberProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <TypedInput
          {...ids}
          inputMode="numeric"
          value={String(value)}
          onChange={(text) => (/^\d{1,9}$/.test(text.trim()) ? onChange(Number(text)) : undefined)}
        />
      )}
    </Field>
  )
}
