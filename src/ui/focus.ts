/** Puts the focus back into the page when what had it is gone, so that the keyboard goes on from there. */
export function focusMain(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    }
  })
}
