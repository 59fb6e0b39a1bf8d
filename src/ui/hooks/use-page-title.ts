import { useEffect } from 'react'

/** Names the page after what the screen shows, once that is known. */
export function usePageTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Rowhouse`
  }, [name])
}
