import type { NamedTable } from '../../storage/table-types.ts'

/** The schema of tables that stay: `my.<name>`. */
export const KEPT = 'my'

/** Whether a table is one of those that stay. */
export function isKept({ workspace, dataset }: Pick<NamedTable, 'workspace' | 'dataset'>): boolean {
  return workspace === KEPT && dataset === ''
}
