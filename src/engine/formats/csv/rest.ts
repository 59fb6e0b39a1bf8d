import type { CsvSettings, ReadSettings } from '../../../tables/plan.ts'
import { lineBehind } from '../../io/lines.ts'
import { openText } from '../../io/text-stream.ts'
import type { EngineContext } from '../types.ts'
import { MAX_REJECTED, Pass, type RestFindings } from './pass.ts'
import { CsvRows } from './rows.ts'

/** Within so many bytes the first row has to be, and in the middle of the file the end of a line. */
const NEAR = 1024 * 1024

/**
 * Where the second half of a file begins: behind a line end, though maybe one within quotes. Null where there's none, or
 * where bytes can't be told without those before them.
 */
export async function secondHalf(file: Blob, settings: CsvSettings): Promise<number | null> {
  if (settings.compression !== null || settings.encoding !== 'utf-8') return null
  if (settings.blankRows === 'leave-out') return null
  // Lines of the second half are counted from there.
  if (settings.lastLine !== undefined || settings.leaveOut !== undefined) return null
  return lineBehind(file, Math.floor(file.size / 2), NEAR)
}

/**
 * What the rows from the byte `from` on come to, if a record begins there. Null when that can't be told without what is
 * before: how many columns there are shows too late, or the text isn't UTF-8.
 */
export async function inspectRest(
  file: File,
  settings: ReadSettings,
  from: number,
  context: EngineContext,
): Promise<RestFindings | null> {
  if (settings.kind !== 'csv') return null
  const first = new CsvRows(settings, { keep: 0 })
  for await (const slice of openText(file.slice(0, NEAR), { ...settings, signal: context.signal })) first.push(slice)
  while (first.width < 0 && first.next());
  if (first.width < 0) return null
  const pass = new Pass(first.rest(MAX_REJECTED), settings, context)
  const { utf8 } = pass.rows.tokenizer
  if ((await pass.run(file.slice(from), () => !utf8.allValid)) !== null) return null
  pass.end()
  return utf8.allValid ? pass.findings() : null
}
