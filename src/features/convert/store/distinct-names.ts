import { namesByPath } from '../../../tables/names.ts'
import { cameInFolder, markTogether, measure, pathOf } from '../../../ui/overlays/files-dropped.ts'

/**
 * The files; those with the same name from different folders get names with the folders: `2024_jan.csv`,
 * `2025_jan.csv`.
 */
export async function withDistinctNames(files: readonly File[]): Promise<readonly File[]> {
  const byName = new Map<string, File[]>()
  for (const file of files.filter(cameInFolder)) {
    const key = file.name.toLowerCase()
    byName.set(key, [...(byName.get(key) ?? []), file])
  }
  const named = new Map<File, string>()
  for (const same of byName.values()) {
    const names = namesByPath(same.map(pathOf))
    if (same.length > 1) for (const [i, file] of same.entries()) named.set(file, names[i] ?? file.name)
  }
  await measure([...named.keys()])
  return files.map((file) => {
    const name = named.get(file)
    if (name === undefined || name === file.name) return file
    const { lastModified, type } = file
    const renamed = new File([file], name, { lastModified, type })
    markTogether(renamed, pathOf(file))
    return renamed
  })
}
