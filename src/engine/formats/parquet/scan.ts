import type { ParquetFile } from 'parquet-wasm/esm'
import { eachLeaf, FinenessProbe } from '../shared/leaf-rules.ts'
import type { EngineContext } from '../types.ts'
import { project, readGroups } from './batches.ts'
import type { Footer } from './footer.ts'
import { neutralName } from './neutral.ts'
import type { Scan } from './open.ts'
import type { Leaf, ParquetColumn } from './schema.ts'

/**
 * Scans the columns for which the footer doesn't answer how precise values are, or how many are null.
 * @param known null counts of the columns, as far as the footer has them
 */
export async function scan(
  library: ParquetFile,
  footer: Footer,
  { columns, leaves }: { readonly columns: readonly ParquetColumn[]; readonly leaves: readonly Leaf[] },
  known: readonly (number | undefined)[],
  context: EngineContext,
): Promise<Scan> {
  const fineness = new Map(leaves.filter((leaf) => leaf.needsProbe).map((leaf) => [leaf, new FinenessProbe()]))
  const probed = new Set([...fineness.keys()].map((leaf) => leaf.column))
  const nulls = known.map((count) => count ?? 0)
  // To count a nested column's nulls, one leaf is enough.
  const paths = columns
    .filter(({ index }) => probed.has(index) || known[index] === undefined)
    .map(({ index, firstLeaf }) =>
      probed.has(index) || leaves[firstLeaf].inMap ? neutralName(index) : leaves[firstLeaf].path,
    )
  const projection = project(leaves, paths)
  let rows = 0
  for await (const { batch } of readGroups(library, footer, projection, context.signal)) {
    rows += batch.numRows
    for (const [i, index] of projection.columns.entries()) {
      const data = batch.data.children[i]
      if (known[index] === undefined) nulls[index] += data.nullCount
      if (!probed.has(index)) continue
      eachLeaf(data, (leaf, at) => fineness.get(leaves[columns[index].firstLeaf + at])?.look(leaf))
    }
    context.progress({ bytes: 0, rows })
  }
  return { fineness, nulls }
}
