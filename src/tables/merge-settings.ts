import { isJsonObject } from '../lib/json.ts'
import type { Inspection, InspectRequest } from './plan.ts'
import type { ReadSettings } from './settings.ts'

/** Settings for one kind of file, changed by some; those of another kind are dropped, and what is set to `undefined`. */
export function mergeSettings(request: InspectRequest, patch: Partial<ReadSettings>): InspectRequest {
  const old = (request.settings?.kind === patch.kind && request.settings) || {}
  return { ...request, settings: set(merged(old, patch)) }
}

/** How the file is read as far as it's known: as detected, but for what the person has set since. */
export function settingsInForce(request: InspectRequest, { settings }: Inspection): ReadSettings {
  return request.settings?.kind === settings.kind ? (merged(settings, request.settings) as ReadSettings) : settings
}

const set = (settings: object): object =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
      value === undefined ? [] : [[key, isJsonObject(value) ? set(value) : value]],
    ),
  )

/** What is set by name, by sheet for one, is merged name by name. */
function merged(old: object, patch: object): object {
  const own = new Map<string, unknown>(Object.entries(old))
  const entries = Object.entries(patch).map(([key, value]: [string, unknown]) => {
    const before = own.get(key)
    return [key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value]
  })
  return Object.fromEntries([...own, ...entries])
}
