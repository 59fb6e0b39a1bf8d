import type { ConvertServices } from '../../features/convert/index.ts'
import type { Extra } from '../../service/backup/index.ts'
import { plural } from '../../ui/format.ts'

/** What a backup holds of Convert. */
export function recipesExtra(recipes: ConvertServices['recipesBackup']): Extra {
  return {
    export: async () => ({ value: await recipes.export() }),
    async read(value) {
      const read = recipes.read(value)
      return {
        contents: read.length > 0 ? [plural(read.length, 'recipe')] : [],
        place: (_files, _options, then) =>
          then(async () => {
            await recipes.add(read)
            return []
          }),
      }
    },
  }
}

/** What a backup holds of SQL; loaded when a backup is made or read. */
export const sqlExtra: Extra = {
  export: async () => (await sqlBackup()).export(),
  read: async (value, files) => (await sqlBackup()).read(value, files),
}

async function sqlBackup() {
  const { createSqlBackup, browserSqlBackup } = await import('../../features/sql/backup.ts')
  return createSqlBackup(browserSqlBackup())
}
