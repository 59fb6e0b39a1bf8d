import { readFileSync } from 'node:fs'

/* Tests only. */

export interface ExpectedTable {
  readonly name: string
  readonly headerRow: number | null
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly hidden?: boolean
  readonly notes?: readonly string[]
}

export function fixtureOf(folder: URL, name: string): File {
  return new File([readFileSync(new URL(name, folder))], name)
}

export function expectedOf(folder: URL, name: string): ExpectedTable[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as ExpectedTable[]
}
