import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDatasetRequestSchema, datasetDetailsSchema, updateDatasetRequestSchema } from '../contract/schemas.ts'
import { fromChange, fromNewDataset, toDetails, toSummary } from './mapping.ts'

const name = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `n${text.replace(/\p{Cc}/gu, '')}`.trim())
const instant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const table = fc.record({
  name,
  description: fc.string(),
  row_count: fc.nat(),
  byte_size: fc.nat(),
  schema: fc.array(fc.record({ name: fc.string(), type: fc.constantFrom('BIGINT', 'VARCHAR', 'DECIMAL(18,3)') })),
})
const details = fc.record({
  id: name,
  name,
  workspace_id: fc.uuid({ version: 4 }),
  visibility: fc.constantFrom('private' as const, 'public' as const),
  created_at: instant,
  tags: fc.array(fc.string()),
  description: fc.string(),
  updated_at: instant,
  tables: fc.array(table),
})
const change = fc.record(
  {
    name,
    description: fc.string(),
    visibility: fc.constantFrom('private' as const, 'public' as const),
    tags: fc.array(name, { maxLength: 5 }),
  },
  { requiredKeys: [] },
)

test('details keep every value', () => {
  fc.assert(
    fc.property(details, (wire) => {
      const parsed = datasetDetailsSchema.parse(wire)
      const ours = toDetails(parsed)
      expect({
        id: ours.id,
        name: ours.name,
        workspace_id: ours.workspaceId,
        visibility: ours.visibility,
        created_at: ours.createdAt.toISOString(),
        tags: ours.tags,
        description: ours.description,
        updated_at: ours.updatedAt.toISOString(),
        tables: ours.tables.map((each) => ({
          name: each.name,
          description: each.description,
          row_count: each.rowCount,
          byte_size: each.byteSize,
          schema: each.schema,
        })),
      }).toEqual(wire)
    }),
  )
})

test('a list entry without tables has unknown tables, one with an empty list has none', () => {
  fc.assert(
    fc.property(details, ({ tables, ...wire }) => {
      expect(toSummary(wire).tables).toBeNull()
      expect(toSummary({ ...wire, tables }).tables?.length).toBe(tables.length)
    }),
  )
})

test('a change only sends what changes', () => {
  fc.assert(
    fc.property(change, (ours) => {
      const wire = fromChange(ours)
      expect(updateDatasetRequestSchema.safeParse(wire).success).toBe(true)
      const { short_description: description, ...others } = wire
      expect({ ...others, ...(description === undefined ? {} : { description }) }).toEqual(ours)
    }),
  )
})

test('a new dataset is valid for the service', () => {
  const dataset = fc.record({
    name,
    description: fc.string(),
    visibility: fc.constantFrom('private' as const, 'public' as const),
    tags: fc.uniqueArray(name, { maxLength: 5 }),
    tables: fc.array(fc.record({ name, signedUrl: fc.webUrl(), description: fc.string() }), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  fc.assert(
    fc.property(dataset, fc.uuid({ version: 4 }), (ours, workspaceId) => {
      const wire = createDatasetRequestSchema.parse(fromNewDataset(ours, workspaceId))
      expect(wire).toMatchObject({ dataset_name: ours.name, workspace_id: workspaceId, tags: ours.tags })
      expect(wire.tables).toEqual(
        ours.tables.map((each) => ({
          table_name: each.name,
          signed_url: each.signedUrl,
          description: each.description,
        })),
      )
    }),
  )
})
