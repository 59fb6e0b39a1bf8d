import type { ZipArchive } from '../zip.ts'
import { readXml, type XmlVisitor } from './part.ts'

/** In the largest workbooks, styles and relationships take some megabytes. */
export const SMALL_PART = 128 * 1024 * 1024

interface Relation {
  readonly id: string
  /**
   * Compare its last part, such as `.../worksheet`: the beginning differs between transitional and strict workbooks.
   */
  readonly type: string
  readonly path: string
}

/** The relationships of a part, or of the package if the name is empty. */
export async function readRelations(zip: ZipArchive, part: string, signal: AbortSignal): Promise<Relation[]> {
  const slash = part.lastIndexOf('/') + 1
  const folder = part.slice(0, slash)
  const entry = zip.entries.get(`${folder}_rels/${part.slice(slash)}.rels`.toLowerCase())
  if (!entry) return []
  const relations: Relation[] = []
  const visitor: XmlVisitor = {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes.get('TargetMode') === 'External') return
      const target = attributes.get('Target') ?? ''
      relations.push({
        id: attributes.get('Id') ?? '',
        type: attributes.get('Type') ?? '',
        path: resolvePath(folder, target),
      })
    },
  }
  await readXml(zip, entry, SMALL_PART, visitor, signal)
  return relations
}

function resolvePath(folder: string, target: string): string {
  const parts: string[] = []
  const path = target.replaceAll('\\', '/')
  for (const part of (path.startsWith('/') ? path : folder + path).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
