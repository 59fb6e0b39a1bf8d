import type { FormatId } from '../../../contract/formats.ts'
import type { ReadSettings, RejectedRow, WriteOptions } from '../../../tables/plan.ts'
import type { FingerprintState } from '../fingerprint/fingerprint.ts'
import type { FilePart, ReadRequest, WrittenRows } from '../../formats/types.ts'
import type { PlannedTable } from '../plan.ts'

/* A file's parts as two threads work on them. All of it is plain data. */

/** To read each part's rows and write them as they will stand in the output. */
export interface CarryTask {
  readonly kind: 'carry'
  readonly source: Source
  readonly planned: PlannedTable
  readonly target: FormatId
  readonly options: WriteOptions
}

export interface Source {
  readonly format: FormatId
  readonly settings: ReadSettings
}

/** To read each part's rows and take their fingerprint. */
export interface PrintTask {
  readonly kind: 'print'
  readonly format: FormatId
  readonly request: ReadRequest
}

export type PartsTask = CarryTask | PrintTask

/** What one part came to. */
export interface PartResult {
  readonly rows: number
  /** Numbered from the part's beginning. */
  readonly rejected: readonly RejectedRow[]
  /** Of the file's columns, where its first part has them. */
  readonly names?: readonly string[]
}

/** What all parts that a thread worked on came to. */
export interface PartsState {
  readonly fingerprint: FingerprintState
  /** For each column, how many values had to be changed for the output's format. */
  readonly changed: readonly number[]
  /** As a batch's `checksums`, of all rows. */
  readonly sums?: readonly bigint[] | null
}

/** Works on parts of one file, one after another. */
export interface PartsWorker {
  /** `written` is there where the task is to write. */
  run(part: FilePart): Promise<PartResult & { readonly written?: WrittenRows }>
  state(): Promise<PartsState>
}
