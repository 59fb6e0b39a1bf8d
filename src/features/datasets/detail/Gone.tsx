import Ghost from 'lucide-react/icons/ghost'
import { Link } from 'react-router'
import button from '../../../ui/Button.module.css'
import { cx } from '../../../ui/cx.ts'
import css from './Detail.module.css'

/** A dataset that isn't there, or not for this key. `name` is what it was called, where that's known. */
export function Gone({ name }: { readonly name: string | null }) {
  return (
    <div className={css.gone} role="alert">
      <Ghost aria-hidden />
      <h1>{name ? `“${name}” is gone` : 'This dataset isn’t here'}</h1>
      <p>
        {name
          ? 'It was deleted, in another tab or by another program, with all of its tables.'
          : 'It was deleted, is in another workspace, or this API key may not read it.'}
      </p>
      <Link to="/datasets" className={cx(button['button'], button['primary'], button['medium'])}>
        All datasets
      </Link>
    </div>
  )
}
