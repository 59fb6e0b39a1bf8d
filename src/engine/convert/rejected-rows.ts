import type { RejectedRow } from '../../tables/plan.ts'
import type { EngineContext } from '../formats/types.ts'
import type { OutputStorage, PendingOutput } from '../storage/output.ts'

const SHOWN = 200
/** Characters of each row's text in `first`; the file has all of the text that was kept. */
const SHOWN_RAW = 10_000

interface Written {
  readonly id: string
  readonly size: number
}

interface RowsFile {
  add(file: string, table: string | null, rows: readonly RejectedRow[]): Promise<void>
  finish(): Promise<Written>
}

/** Counts rejected rows, and writes them to a file, which is created with the first of them. */
export class RejectedRows {
  count = 0
  /** The first ones, to be shown. */
  readonly first: RejectedRow[] = []
  private readonly storage: OutputStorage
  private readonly jobId: string
  private readonly context: EngineContext
  private readonly ofFiles: boolean
  private output: PendingOutput | null = null
  private file: RowsFile | null = null

  /** @param ofFiles whether rows come from several files, so that the file's name is included */
  constructor(storage: OutputStorage, jobId: string, signal: AbortSignal, ofFiles: boolean) {
    this.ofFiles = ofFiles
    this.storage = storage
    this.jobId = jobId
    this.context = { signal, progress: () => undefined }
  }

  /** @param from the rows' file and sheet */
  async add(
    { file, table }: { readonly file: string; readonly table: string | null },
    rows: readonly RejectedRow[],
  ): Promise<void> {
    if (rows.length === 0) return
    this.count += rows.length
    const shown = rows
      .slice(0, Math.max(0, SHOWN - this.first.length))
      .map((row) => ({ ...row, raw: row.raw.slice(0, SHOWN_RAW) }))
    this.first.push(...(this.ofFiles ? shown.map((row) => ({ ...row, file })) : shown))
    this.file ??= await this.begin()
    await this.file.add(file, table, rows)
  }

  private async begin(): Promise<RowsFile> {
    const { RejectedFile } = await import('./rejected-file.ts')
    this.output = await this.storage.create(this.jobId)
    return RejectedFile.begin(this.output, this.ofFiles, this.context)
  }

  /** Ends the file. Returns null if no rows were rejected. */
  async finish(): Promise<Written | null> {
    return (await this.file?.finish()) ?? null
  }

  async discard(): Promise<void> {
    await this.output?.discard()
  }
}
