import LoaderCircle from 'lucide-react/icons/loader-circle'
import { cx } from './cx.ts'
import css from './Spinner.module.css'

/** Turns while something is under way. Words beside it say what. */
export function Spinner({ className }: { readonly className?: string | undefined }) {
  return <LoaderCircle aria-hidden className={cx(css.spinner, className)} />
}
