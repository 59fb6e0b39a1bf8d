import type { Edits } from '../edits.ts'
import type { Inspection } from '../plan.ts'

/** A file among others. */
interface FileAmong {
  readonly file: Pick<File, 'name'>
  /** Null until it's read. */
  readonly inspection: Inspection | null
  readonly edits: Edits
}

/** Names of texts that accompany tables, in English, German, French, Spanish, Italian and Portuguese. */
const NAMES =
  /^(read[ _-]?me|lies[ _-]?mich|lisez[ _-]?moi|l[eé]e?me|leia[ _-]?me|leggimi|licen[cs]e|licen[cz]ia|licença|lizenz|copying|copyright|notice|(release[ _-]?)?notes?|notas|change[ _-]?log|changes|authors|contributors|citation|disclaimer|terms|about)(?![a-z])[^.]*(\.(txt|text|md|rst))?$/i

const isText = ({ file: { name }, inspection }: FileAmong): boolean =>
  NAMES.test(name) && (inspection?.tables ?? []).every(({ columns }) => columns.every(({ type }) => type === 'VARCHAR'))

/**
 * Whether a file is a text about the files beside it, such as a README, by its name and because all of its values are
 * text. It becomes a table only if the person includes it.
 */
export const isAside = (one: FileAmong, all: readonly FileAmong[]): boolean =>
  isText(one) && !one.edits.some(({ include }) => include) && all.some((other) => !isText(other))
