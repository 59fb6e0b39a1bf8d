import { useState } from 'react'

const NAME = 'rowhouse-sql-split'
const FIRST = 40

/** The editor's share of the height in percent, as it was left. */
export function useSplit(): readonly [number, (share: number) => void] {
  const [share, setShare] = useState(read)
  return [
    share,
    (next) => {
      setShare(next)
      try {
        localStorage.setItem(NAME, String(next))
      } catch {
        // It's as high as ever with the next visit.
      }
    },
  ]
}

function read(): number {
  try {
    const kept = Number(localStorage.getItem(NAME) ?? FIRST)
    return kept >= 12 && kept <= 85 ? kept : FIRST
  } catch {
    return FIRST
  }
}
