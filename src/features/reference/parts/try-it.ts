/** The id of the part of the page that runs an operation. */
export const TRY_IT = 'try-it'

/** Goes there, where it isn't beside what is being read. */
export function goToTryIt(): void {
  const place = document.getElementById(TRY_IT)
  place?.scrollIntoView({ block: 'start' })
  place?.focus({ preventScroll: true })
}
