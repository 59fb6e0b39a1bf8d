import { z } from '../../contract/zod.ts'
import type { CheckOutcome } from '../checks.ts'
import type { Note } from '../plan.ts'
import type { MendedRow } from '../receipt.ts'
import type { Receipt, TableFingerprint } from '../receipt.ts'
import { parseFile, schemaUrl } from './json-file.ts'
import { allSettings, count, place, text } from './schema-parts.ts'

/*
 * Receipts as files: one receipt for each converted table. Unknown properties are ignored, so that receipts of later
 * versions can still be checked. The app publishes the schema.
 */

const sha256 = text.regex(/^[0-9a-f]{64}$/).describe('SHA-256 of the file’s bytes')
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
      type: text.describe('DuckDB’s name of the type'),
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
  size: count.describe('Bytes'),
  format: text,
  table: text.nullable().describe('The sheet, where a file has several'),
  settings: allSettings.exactOptional().describe('How it was read'),
  sha256: sha256.exactOptional(),
}

const mendedRow = z.object({
  file: text.exactOptional(),
  row: place,
  line: place.nullable(),
  raw: text,
  cells: z.array(text.nullable()),
  atEnd: z.boolean().exactOptional().describe('After all other rows of its file rather than where it was'),
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
  failed: count.describe('Rows; 1 where the column isn’t there'),
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
      'The tables that were combined, or that a statement read; the row checksums of those that were combined add up, modulo 2^64, to the table’s, or to what the statement read',
    ),
  output: z.object({
    name: text,
    size: count.describe('Bytes'),
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
      .describe('How the table is read from the file'),
  }),
  parts: z
    .array(
      z.object({
        name: text,
        size: count.describe('Bytes'),
        value: text.nullable().exactOptional(),
        rows: count,
        rowChecksum: checksum,
        sha256: sha256.exactOptional(),
      }),
    )
    .exactOptional()
    .describe('The files that the table was split into; their row checksums add up, modulo 2^64, to the table’s'),
  shape: z
    .object({
      sql: text,
      tables: z
        .array(z.object({ name: text.describe('What the statement calls it'), read: fingerprint }))
        .describe('What the statement read: just what the engine held'),
    })
    .exactOptional()
    .describe('The statement between reading and writing: what it gave was written'),
  createdAt: z.iso.datetime(),
  duration: z.object({ convert: count, verify: count }).describe('Milliseconds'),
  expected: fingerprint.describe('What was read from the source; where a statement shaped it, what that gave'),
  found: fingerprint.describe('What the new file, read back, holds'),
  differences: z.array(
    z.object({
      column: text.nullable(),
      what: z.enum(['rows', 'columns', 'name', 'type', 'nulls', 'min', 'max', 'sum', 'checksum', 'row checksum']),
      expected: text,
      found: text,
    }),
  ),
  changes: z.array(note).describe('What the new file holds otherwise than the source'),
  notes: z.array(note).describe('What was noted in the source'),
  textCompared: z.boolean().exactOptional(),
  rejectedRows: count.describe('Rows that didn’t fit and were left out'),
  mended: z.array(mendedRow).exactOptional(),
  checks: z.array(checkOutcome).exactOptional(),
  verdict: z.enum(['match', 'mismatch']),
}) satisfies z.ZodType<Receipt>

const receiptFile = z.object({
  $schema: text.exactOptional(),
  version: z.literal(1),
  receipts: z.array(receipt).min(1).describe('One for each table that was made'),
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
