import { onceAFile } from '../shared/once-a-file.ts'
import type { ParquetFile } from 'parquet-wasm/esm'
import { EngineError } from '../../errors.ts'
import type { EngineContext } from '../types.ts'
import { arrowSchema, openInLibrary, placeOf, project, readGroups } from './batches.ts'
import { mendChunks } from './chunks.ts'
import { CODECS, readFooter, type Footer } from './footer.ts'
import { eachLeaf, FinenessProbe } from '../shared/leaf-rules.ts'
import { isDecimal, neutralFile, neutralName } from './neutral.ts'
import { release } from './wasm.ts'
import { columnsOf, typedColumns, type Leaf, type ParquetColumn, type TypedColumn } from './schema.ts'

/** A Parquet file, with everything known about it without reading all rows. */
export interface OpenedFile {
  readonly footer: Footer
  readonly columns: readonly ParquetColumn[]
  readonly leaves: readonly Leaf[]
  readonly typed: readonly TypedColumn[]
  /** Null count of each column. */
  readonly nulls: readonly number[]
  /** The file as the library gets it. */
  readonly neutral: Blob
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
    const { probes, nulls } = await scan(library, footer, columns, leaves, context)
    const typed = typedColumns(schema, columns, leaves, probes)
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

interface Scan {
  readonly probes: ReadonlyMap<Leaf, FinenessProbe>
  readonly nulls: number[]
}

/** Scans the columns for which the footer doesn't answer how precise values are, or how many are null. */
async function scan(
  library: ParquetFile,
  footer: Footer,
  columns: readonly ParquetColumn[],
  leaves: readonly Leaf[],
  context: EngineContext,
): Promise<Scan> {
  const probes = new Map(leaves.filter((leaf) => leaf.needsProbe).map((leaf) => [leaf, new FinenessProbe()]))
  const probed = new Set([...probes.keys()].map((leaf) => leaf.column))
  const known = columns.map((column) => nullsByStatistics(footer, column))
  const nulls = known.map((count) => count ?? 0)
  // To count a nested column's nulls, one leaf is enough.
  const paths = columns
    .filter(({ index }) => probed.has(index) || known[index] === undefined)
    .map(({ index, firstLeaf }) =>
      probed.has(index) || leaves[firstLeaf].inMap ? neutralName(index) : leaves[firstLeaf].path,
    )
  if (paths.length === 0) return { probes, nulls }
  const projection = project(leaves, paths)
  let rows = 0
  for await (const { batch } of readGroups(library, footer, projection, context.signal)) {
    rows += batch.numRows
    for (const [i, index] of projection.columns.entries()) {
      const data = batch.data.children[i]
      if (known[index] === undefined) nulls[index] += data.nullCount
      if (!probed.has(index)) continue
      eachLeaf(data, (leaf, at) => probes.get(leaves[columns[index].firstLeaf + at])?.look(leaf))
    }
    context.progress({ bytes: 0, rows })
  }
  return { probes, nulls }
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
