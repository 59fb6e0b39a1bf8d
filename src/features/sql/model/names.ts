/** What a statement can't use as a bare name: the words that DuckDB reserves. */
const RESERVED = new Set(
  (
    'all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default ' +
    'deferrable desc describe distinct do else end except false fetch for foreign from grant group having in initially ' +
    'intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider placing primary ' +
    'qualify references returning select show some summarize symmetric table then to trailing true union unique unpivot ' +
    'using variadic when where window with ' +
    // These are taken as the beginning of something else in some of the places that a name can stand in.
    'anti asof authorization binary collation concurrently cross current_date freeze full generated glob ilike inner is isnull ' +
    'join left like map natural notnull outer overlaps positional right semi similar struct tablesample try_cast verbose'
  ).split(' '),
)

/** A name as a statement writes it: in quotes only where it must be. */
export function quoteName(name: string): string {
  const bare = /^[a-z_][a-z0-9_]*$/i.test(name) && !RESERVED.has(name.toLowerCase())
  return bare ? name : `"${name.replaceAll('"', '""')}"`
}

/** `"my-team"."Sales 2024".orders` */
export function referenceOf(...names: readonly string[]): string {
  return names.map(quoteName).join('.')
}
