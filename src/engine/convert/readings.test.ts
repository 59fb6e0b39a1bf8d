import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { applyEdits, NO_EDITS } from '../../tables/edits.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { applyProposals, openProposals } from '../../tables/proposals.ts'
import { convertAsInspected, inspect } from '../testing/run.ts'

/* Files with the expected proposals, and their expected contents as JSON after applying these. */

interface Expected {
  readonly proposals: readonly string[]
  readonly rejected: number
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const folder = path.join(import.meta.dirname, 'fixtures', 'readings')
const names = readdirSync(folder).filter((name) => !name.endsWith('.expected.json'))

it.each(names)('%s is read as it’s meant', async (name) => {
  const expected = JSON.parse(readFileSync(path.join(folder, `${name}.expected.json`), 'utf8')) as Expected
  const file = new File([readFileSync(path.join(folder, name))], name)
  const found = (await inspect(file)).inspection
  const proposals = openProposals(found, applyEdits(found, NO_EDITS))
  expect(proposals.map(({ proposal }) => proposal.label)).toEqual(expected.proposals)
  const { edits, request } = applyProposals(found, { edits: NO_EDITS, request: {}, applied: [] }, proposals)
  const { inspection } = await inspect(file, request)
  const options = { ...defaultOptions('json'), normalize: true }
  const { result, files } = await convertAsInspected(file, inspection, 'json', options, () =>
    applyEdits(inspection, edits),
  )
  expect(JSON.parse(await files[0].text())).toEqual(expected.rows)
  expect(result.rejectedCount).toBe(expected.rejected)
})
