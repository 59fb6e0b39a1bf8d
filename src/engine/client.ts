import type {
  CallOptions, ConvertProgress, ConvertRequest, ConvertResult, InspectProgress, InspectRequest, InspectResult, Preview,
  PreviewRequest,
} from './protocol.ts' // prettier-ignore

export type * from './protocol.ts'
export { EngineError, type EngineErrorCode } from './errors.ts'

/** The page's only door to the engine. Every call rejects with `EngineError`, or with the signal's reason. */
export interface EngineClient {
  /** Reads a file once and says what's in it. Nothing is kept. */
  inspect(file: File, request: InspectRequest, options?: CallOptions<InspectProgress>): Promise<InspectResult>
  /** The first rows of one table, as a changed plan reads them. */
  preview(file: File, request: PreviewRequest, options?: CallOptions<never>): Promise<Preview>
  /** Converts, reads the output back, and keeps it. A mismatch rejects with `verification`. */
  convert(file: File, request: ConvertRequest, options?: CallOptions<ConvertProgress>): Promise<ConvertResult>
  readonly outputs: OutputStore
}

/** The files that conversions made. They outlive the page; what no record names is swept. */
export interface OutputStore {
  /** Whether they outlive the page: false where the browser gives no private file system. */
  readonly persistent: boolean
  /** @throws {EngineError} when it's gone */
  file(output: { readonly id: string; readonly name: string; readonly mimeType: string }): Promise<File>
  remove(id: string): Promise<void>
  /** Removes all outputs but these and those of jobs that run in any tab. */
  sweep(keep: ReadonlySet<string>): Promise<void>
}

/** Starts no worker until the first call. */
export declare function createEngineClient(): EngineClient
