import css from './Method.module.css'

/** A request's method, colored by what it does: read, make, change, remove. */
export function Method({ method }: { readonly method: string }) {
  return (
    <span className={css.method} data-method={method}>
      {method}
    </span>
  )
}
