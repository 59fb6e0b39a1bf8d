import { formatBytes } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'

/** Reported before anything is read. */
export function tooLarge(size: number, limit: number): EngineError {
  return new EngineError(
    'too-large',
    `The workbook comes to ${formatBytes(size)}; of its kind up to ${formatBytes(limit)} can be read safely, because all of it is in memory at once.`,
    { remedy: 'Open it in Excel or LibreOffice and save it as .xlsx, which is read row by row.' },
  )
}
