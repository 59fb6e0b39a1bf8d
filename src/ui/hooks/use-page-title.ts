import { useEffect } from 'react'

/** Sets the page's title once the name of what the screen shows is known. */
export function usePageTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Rowhouse`
  }, [name])
}
