import { KEPT } from '../kept/place.ts'
import type { ObjectKind } from '../session-types.ts'
import { foldIdentifier, type Token } from '../statement.ts'
import { refused } from './refusals.ts'

/** The schema of what is temporary: DuckDB's own `temp` belongs to one connection, and statements are bound on another. */
export const TEMPORARY = '__temp'
/** Where a temporary thing is, before its name. */
export const IN_TEMPORARY = `memory.${TEMPORARY}.`

/** A message of the engine without the place of temporary things, which people don't write. */
export const withoutPlace = (message: string): string => message.replaceAll(/(?:memory\.)?__temp\./g, '')

/** Whether a name may be that of something temporary, or can only be. In DuckDB, `main` is a schema of `temp`, too. */
export function temporaryPlace(parts: readonly Token[]): 'only' | 'perhaps' | 'no' {
  const place = parts.slice(0, -1).map(({ text }) => foldIdentifier(text))
  if (/^temp(?:\.main)?$/.test(place.join('.'))) return 'only'
  return /^(?:main)?$/.test(place.join('.')) ? 'perhaps' : 'no'
}

/** @throws {EngineError} `sql-not-allowed` for a name that nothing temporary can have, or nothing else */
export function guardTemporary(parts: readonly Token[], isTemporary: boolean, kind: ObjectKind): void {
  if (kind === 'schema' && parts.length > 1 && foldIdentifier(parts[0].text) === 'temp')
    throw refused('There are no schemas in temp.', `Write CREATE SCHEMA ${parts.at(-1)?.text}.`)
  const instead = `CREATE TEMP ${kind.toUpperCase()} ${parts.at(-1)?.text}`
  const places = parts.slice(0, -1).map(({ text }) => foldIdentifier(text))
  if (places[0] === 'temp' && !isTemporary) throw refused('Only what is temporary can be in temp.', `Write ${instead}.`)
  const elsewhere = places.find((place) => !/^(?:main|temp)$/.test(place) && place !== KEPT)
  if (isTemporary && elsewhere !== undefined)
    throw refused(`What is temporary can’t be in ${elsewhere}.`, `Write ${instead}, or leave out TEMP.`)
}
