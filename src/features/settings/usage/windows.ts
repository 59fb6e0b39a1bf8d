import type { UsageWindow, WindowName } from '../../../contract/schemas.ts'
import { formatCount, formatDuration } from '../../../ui/format.ts'

/* Rate-limit windows, for people. */

interface WindowView {
  readonly remaining: number
  readonly limit: number
  /** `9,990 of 10,000 left`. */
  readonly text: string
  /** When it turns: `Full again in 42 s, at 14:00:00`. */
  readonly note: string
  readonly tone: 'normal' | 'warn' | 'bad'
}

interface Window {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds since 1970. */
  readonly reset: number
}

/** A window as it stands now: one whose time is over is full again, though nobody has asked since. */
export function viewWindow({ limit, remaining, reset }: Window, now: number): WindowView {
  const turned = reset <= now
  const left = turned ? limit : remaining
  return {
    remaining: left,
    limit,
    text: `${formatCount(left)} of ${formatCount(limit)} left`,
    note: turned || left === limit ? 'Full' : `Full again in ${formatDuration(reset - now)}, at ${clock(reset)}`,
    tone: left === 0 ? 'bad' : left * 5 < limit ? 'warn' : 'normal',
  }
}

function clock(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB')
}

const ORDER: readonly WindowName[] = ['minute', 'hour', 'day']

interface WindowGroup {
  /** Null: all requests, by the plan. */
  readonly endpoint: string | null
  readonly windows: readonly UsageWindow[]
}

/** By endpoint, the plan's first, the shorter windows before the longer. */
export function groupWindows(windows: readonly UsageWindow[]): WindowGroup[] {
  const groups = new Map<string | null, UsageWindow[]>([[null, []]])
  for (const window of windows) groups.set(window.endpoint, [...(groups.get(window.endpoint) ?? []), window])
  return Array.from(groups, ([endpoint, all]) => ({
    endpoint,
    windows: all.toSorted((a, b) => ORDER.indexOf(a.window) - ORDER.indexOf(b.window)),
  })).filter(({ windows: all }) => all.length > 0)
}

export const WINDOW_WORDS: Readonly<Record<WindowName, string>> = {
  minute: 'This minute',
  hour: 'This hour',
  day: 'Today (UTC)',
}
