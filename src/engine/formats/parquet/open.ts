import type { Fineness } from '../shared/leaf-types.ts'
import { onceAFile } from '../shared/once-a-file.ts'
import { EngineError } from '../../errors.ts'
import type { EngineContext } from '../types.ts'
import { arrowSchema, openInLibrary, placeOf } from './batches.ts'
import { mendChunks } from './chunks.ts'
import { CODECS, readFooter, type Footer } from './footer.ts'
import { isDecimal, neutralFile } from './neutral.ts'
import { release } from './wasm.ts'
import { columnsOf, typedColumns, type Leaf, type ParquetColumn, type TypedParquetColumn } from './schema.ts'

/** A Parquet file, with everything known about it without reading all rows. */
export interface OpenedFile {
  readonly footer: Footer
  readonly columns: readonly ParquetColumn[]
  readonly leaves: readonly Leaf[]
  readonly typed: readonly TypedParquetColumn[]
  /** Null count of each column. */
  readonly nulls: readonly number[]
  /** The file as the library gets it. */
  readonly neutral: Blob
}

/** What the values of a file show. */
export interface Scan {
  /** By leaf, for those whose values can be more precise than our types. */
  readonly fineness: ReadonlyMap<Leaf, Fineness>
  /** Null count of each column. */
  readonly nulls: readonly number[]
}

export const openFile = onceAFile(open)

async function open(file: File, context: EngineContext): Promise<OpenedFile> {
  const footer = await readFooter(file)
  context.signal.throwIfAborted()
  const { columns, leaves } = columnsOf(footer)
  if (columns.length === 0) throw new EngineError('empty-file', 'The Parquet file has no columns.')
  refuseUnreadable(footer, leaves)
  const neutral = neutralFile(file, footer, await mendChunks(file, footer))
  const library = await openInLibrary(neutral)
  try {
    const schema = arrowSchema(library)
    const known = columns.map((column) => nullsByStatistics(footer, column))
    const needsScan = known.includes(undefined) || leaves.some((leaf) => leaf.needsProbe)
    const { fineness, nulls }: Scan = needsScan
      ? await (await import('./scan.ts')).scan(library, footer, { columns, leaves }, known, context)
      : { fineness: new Map(), nulls: known.map((count) => count ?? 0) }
    const typed = typedColumns(schema, columns, leaves, fineness)
    return { footer, columns, leaves, typed, nulls, neutral }
  } finally {
    release(library)
  }
}

function refuseUnreadable(footer: Footer, leaves: readonly Leaf[]): void {
  for (const { element } of leaves) {
    const { name, precision = 0, scale = 0 } = element
    if (!isDecimal(element) || (precision > 0 && scale >= 0 && scale <= precision)) continue
    throw new EngineError(
      'corrupt-file',
      `Column “${name}” is a DECIMAL(${precision},${scale}), which no number fits.`,
      {
        place: 'the footer',
        remedy: 'Have the file written again: the program that wrote it gave the column an impossible type.',
      },
    )
  }
  for (const [group, { columns }] of footer.rowGroups.entries()) {
    for (const [i, { codec, encrypted }] of columns.entries()) {
      const { name: leafName } = leaves[i].element
      if (encrypted) {
        throw new EngineError('password-protected', `Column “${leafName}” is encrypted.`, {
          place: placeOf(footer, group),
          remedy: 'Export the file again without encryption.',
        })
      }
      const name = CODECS[codec]
      if (name === undefined || name === 'lzo') {
        throw new EngineError(
          'unsupported-format',
          `Column “${leafName}” is compressed with ${name ? name.toUpperCase() : `an unknown codec (${codec})`}, which Rowhouse can't read.`,
          { place: placeOf(footer, group), remedy: 'Export the file again with zstd or snappy.' },
        )
      }
    }
  }
}

/** Undefined if the footer doesn't say. */
function nullsByStatistics(footer: Footer, column: ParquetColumn): number | undefined {
  const { element, firstLeaf } = column
  if (element.repetition !== 1) return 0
  if (element.physical === undefined) return footer.rows === 0 ? 0 : undefined
  if (element.logical === 'null') return footer.rows
  let nulls = 0
  for (const { rows, columns } of footer.rowGroups) {
    const chunk = columns[firstLeaf]
    if (chunk.nulls === undefined || chunk.nulls < 0 || chunk.nulls > rows) return undefined
    nulls += chunk.nulls
  }
  return nulls
}
