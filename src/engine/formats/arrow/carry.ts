import type { RecordBatch } from 'apache-arrow'
export const normalizeBatch = (batch: RecordBatch, _types: unknown): RecordBatch => batch
