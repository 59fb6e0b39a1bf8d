import { namesByPath } from '../../../tables/names.ts'
import { cameInFolder, markTogether, pathOf } from '../../../ui/overlays/files-dropped.ts'

/** The files, those of one name that came in folders called by these, too: `2024_jan.csv`, `2025_jan.csv`. */
export function withDistinctNames(files: readonly File[]): readonly File[] {
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
  return files.map((file) => {
    const { lastModified, type } = file
    const name = named.get(file) ?? file.name
    if (name === file.name) return file
    const renamed = new File([file], name, { lastModified, type })
    markTogether(renamed, pathOf(file))
    return renamed
  })
}
