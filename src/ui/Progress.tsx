import css from './Progress.module.css'

interface ProgressProps {
  readonly label: string
  /** From 0 to 1, or null if it isn't known. */
  readonly value: number | null
}

/** A progress bar, which shows a length only if it's known. */
export function Progress({ label, value }: ProgressProps) {
  if (value === null) return <progress className={css.bar} aria-label={label} />
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return <progress className={css.bar} aria-label={label} value={percent} max={100} />
}
