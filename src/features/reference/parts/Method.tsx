import css from './Method.module.css'

/** A request's method, colored by its effect: read, create, change, delete. */
export function Method({ method }: { readonly method: string }) {
  return (
    <span className={css.method} data-method={method}>
      {method}
    </span>
  )
}
