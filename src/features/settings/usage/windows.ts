import type { UsageWindow, WindowName } from '../../../contract/schemas.ts'
import { formatCount, formatDuration } from '../../../ui/format.ts'

/* Rate-limit windows in words. */

interface WindowView {
  readonly used: number
  readonly limit: number
  /** `10 of 10,000 used`. */
  readonly text: string
  /** When it starts over: `Starts over in 42 s, at 14:00:00`; null if nothing is used. */
  readonly note: string | null
  readonly tone: 'normal' | 'warn' | 'bad'
}

interface Window {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds since 1970. */
  readonly reset: number
}

/** A window's current state: once its time is over, nothing is used, even without a new request. */
export function viewWindow({ limit, remaining, reset }: Window, now: number): WindowView {
  const turned = reset <= now
  const left = turned ? limit : remaining
  return {
    used: limit - left,
    limit,
    text: `${formatCount(limit - left)} of ${formatCount(limit)} used`,
    note: left === limit ? null : `Starts over in ${formatDuration(reset - now)}, at ${clock(reset)}`,
    tone: left === 0 ? 'bad' : left * 5 < limit ? 'warn' : 'normal',
  }
}

function clock(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB')
}

const ORDER: readonly WindowName[] = ['minute', 'hour', 'day']

export interface WindowGroup {
  /** Null for all requests, as limited by the plan. */
  readonly endpoint: string | null
  readonly windows: readonly UsageWindow[]
}

/** By endpoint, the plan's first; shorter windows before longer ones. */
export function groupWindows(windows: readonly UsageWindow[]): WindowGroup[] {
  const groups = new Map<string | null, UsageWindow[]>([[null, []]])
  for (const window of windows) groups.set(window.endpoint, [...(groups.get(window.endpoint) ?? []), window])
  return Array.from(groups, ([endpoint, all]) => ({
    endpoint,
    windows: all.toSorted((a, b) => ORDER.indexOf(a.window) - ORDER.indexOf(b.window)),
  })).filter(({ windows: all }) => all.length > 0)
}

/** Whether anything in a group's windows is used. */
export const isUsed = ({ windows }: WindowGroup, now: number): boolean =>
  windows.some(({ limit, remaining, reset }) => viewWindow({ limit, remaining, reset: reset * 1000 }, now).used > 0)

export const WINDOW_WORDS: Readonly<Record<WindowName, string>> = {
  minute: 'This minute',
  hour: 'This hour',
  day: 'Today (UTC)',
}
