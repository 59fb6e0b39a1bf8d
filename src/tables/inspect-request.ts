import type { FormatId } from '../contract/formats.ts'
import { isJsonObject } from '../lib/json.ts'
import type { CsvPlace, CsvSettings, JsonSettings, JsonTable, ReadSettings, Unfolding } from './settings.ts'

/** A request to inspect a file. */
export interface InspectRequest {
  /** Set by the user; else detected. */
  readonly format?: FormatId
  /** Settings that the user set; the others are detected. */
  readonly settings?: Partial<ReadSettings>
}

/** Merges settings. Those of another kind of file, and those set to `undefined`, are dropped. */
export function mergeSettings(request: InspectRequest, patch: Partial<ReadSettings>): InspectRequest {
  const old = (request.settings?.kind === patch.kind && request.settings) || {}
  return { ...request, settings: set(merged(old, patch)) }
}

/** The current settings of a file: as detected, with the user's later changes. */
export function settingsInForce(
  request: InspectRequest,
  { settings }: { readonly settings: ReadSettings },
): ReadSettings {
  return request.settings?.kind === settings.kind ? (merged(settings, request.settings) as ReadSettings) : settings
}

const set = (settings: object): object =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
      value === undefined ? [] : [[key, isJsonObject(value) ? set(value) : value]],
    ),
  )

/** Settings by name, such as by sheet, are merged name by name. */
function merged(old: object, patch: object): object {
  const own = new Map<string, unknown>(Object.entries(old))
  const entries = Object.entries(patch).map(([key, value]: [string, unknown]) => {
    const before = own.get(key)
    return [key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value]
  })
  return Object.fromEntries([...own, ...entries])
}

/**
 * If a user chooses the rows to leave out, the rule for subtotals must not leave out more.
 * @param rule whether the rule is in force for the table
 * @param off the value that turns it off
 */
export const byHand = <T>(rule: boolean | undefined, off: T): { readonly leaveOutSubtotals?: T } =>
  rule ? { leaveOutSubtotals: off } : {}

/** A change of one table of a CSV file; null for a file with a single table. */
export const csvPatch = (table: string | null, place: CsvPlace): Partial<CsvSettings> =>
  table === null ? place : { tables: { [table]: place } }

/** Which nested columns of a table of a JSON file to unfold; null for a file with a single table. */
export const unfoldPatch = (
  table: string | null,
  unfold: readonly Unfolding[],
): Partial<JsonSettings> & { kind: 'json' } =>
  // The table's other settings are kept, since settings are merged.
  table === null ? { kind: 'json', unfold } : { kind: 'json', tables: { [table]: { unfold } as JsonTable } }
