import LoaderCircle from 'lucide-react/icons/loader-circle'
import { cx } from './cx.ts'
import css from './Spinner.module.css'

/** Shows that something is under way. Say what in words beside it. */
export function Spinner({ className }: { readonly className?: string | undefined }) {
  return <LoaderCircle aria-hidden className={cx(css.spinner, className)} />
}
