import { z } from '../../contract/zod.ts'
import type { CheckOutcome } from '../checks.ts'
import type { Note } from '../plan.ts'
import type { MendedRow, Receipt, TableFingerprint } from '../receipt.ts'
import { parseFile, schemaUrl } from './json-file.ts'
import { allSettings, count, place, text } from './schema-parts.ts'

/*
 * Receipts as files: one receipt for each converted table. Unknown properties are ignored, so that receipts of later
 * versions can still be checked. The app publishes the schema.
 */

const sha256 = text.regex(/^[0-9a-f]{64}$/).describe('SHA-256 of the file')
const checksum = text.regex(/^[0-9a-f]{16}$/)

const note = z.object({
  code: text,
  message: text,
  column: text.exactOptional(),
  count: count.exactOptional(),
  example: z.object({ from: text, to: text }).exactOptional(),
  doubt: z.boolean().exactOptional(),
}) satisfies z.ZodType<Note>

const fingerprint = z.object({
  rows: count,
  columns: z.array(
    z.object({
      name: text,
      type: text.describe('The type’s name in DuckDB'),
      nulls: count,
      min: text.nullable(),
      max: text.nullable(),
      sum: text.nullable(),
      checksum,
    }),
  ),
  rowChecksum: checksum,
}) satisfies z.ZodType<TableFingerprint>

const source = {
  name: text,
  size: count.describe('In bytes'),
  format: text,
  table: text.nullable().describe('The sheet or table, if the file has several; else null'),
  settings: allSettings.exactOptional().describe('The settings with which it was read'),
  sha256: sha256.exactOptional(),
}

const mendedRow = z.object({
  file: text.exactOptional(),
  row: place,
  line: place.nullable(),
  raw: text,
  cells: z.array(text.nullable()),
  atEnd: z
    .boolean()
    .exactOptional()
    .describe('Whether the row comes after all others of its file; otherwise it keeps its place'),
}) satisfies z.ZodType<MendedRow>

const checkOutcome = z.object({
  column: text,
  check: z.enum([
    'required',
    'unique',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'enum',
    'present',
    'rowCount',
  ]),
  expected: text,
  failed: count.describe('Number of rows that failed; 1 if the column is missing'),
  first: z.array(z.object({ file: text.exactOptional(), row: place.nullable(), value: text.nullable() })),
}) satisfies z.ZodType<CheckOutcome>

const receipt = z.object({
  source: z.object(source),
  sources: z
    .array(
      z.object({
        ...source,
        rows: count,
        rejectedRows: count,
        rowChecksum: checksum,
        textCompared: z.boolean().exactOptional(),
      }),
    )
    .exactOptional()
    .describe(
      'The tables that were combined or that a statement read. The row checksums of combined tables add up, modulo 2^64, to the checksum of the output or of what the statement read',
    ),
  output: z.object({
    name: text,
    size: count.describe('In bytes'),
    format: text,
    sha256: sha256.exactOptional(),
    readBack: z
      .object({
        settings: allSettings,
        tables: z.array(text.nullable()).min(1),
        optional: z.array(count).exactOptional(),
        members: z.array(count).exactOptional(),
      })
      .exactOptional()
      .describe('The settings to read the table back from the file'),
  }),
  parts: z
    .array(
      z.object({
        name: text,
        size: count.describe('In bytes'),
        value: text.nullable().exactOptional(),
        rows: count,
        rowChecksum: checksum,
        sha256: sha256.exactOptional(),
      }),
    )
    .exactOptional()
    .describe('The files that the table was split into. Their row checksums add up, modulo 2^64, to that of the table'),
  shape: z
    .object({
      sql: text,
      tables: z
        .array(z.object({ name: text.describe('The table’s name in the statement'), read: fingerprint }))
        .describe('The tables that the statement read, as the engine held them'),
    })
    .exactOptional()
    .describe('The SQL statement that was run between reading and writing; its result was written'),
  createdAt: z.iso.datetime(),
  duration: z.object({ convert: count, verify: count }).describe('In milliseconds'),
  expected: fingerprint.describe('What was read from the source, or the result of the statement'),
  found: fingerprint.describe('What the new file contains, read back'),
  differences: z.array(
    z.object({
      column: text.nullable(),
      what: z.enum(['rows', 'columns', 'name', 'type', 'nulls', 'min', 'max', 'sum', 'checksum', 'row checksum']),
      expected: text,
      found: text,
    }),
  ),
  changes: z.array(note).describe('How the new file differs from the source'),
  notes: z.array(note).describe('What was noticed in the source'),
  textCompared: z.boolean().exactOptional(),
  rejectedRows: count.describe('Rows that didn’t fit and were left out'),
  mended: z.array(mendedRow).exactOptional(),
  checks: z.array(checkOutcome).exactOptional(),
  verdict: z.enum(['match', 'mismatch']),
}) satisfies z.ZodType<Receipt>

const receiptFile = z.object({
  $schema: text.exactOptional(),
  version: z.literal(1),
  receipts: z.array(receipt).min(1).describe('One receipt for each table that was written'),
})

/** @returns the schema as JSON Schema, draft 2020-12 */
export function receiptSchema(): object {
  return { title: 'Rowhouse receipt', ...z.toJSONSchema(receiptFile, { io: 'input' }) }
}

/** @param origin the app's, which serves the schema; absent outside of an app */
export function toReceiptFile(receipts: readonly Receipt[], origin?: string): unknown {
  return { ...(origin === undefined ? {} : { $schema: schemaUrl('receipt', origin) }), version: 1, receipts }
}

/** @throws {FileRefused} */
export function fromReceiptFile(content: string): readonly Receipt[] {
  return parseFile(content, () => receiptFile, 'receipt').receipts
}
