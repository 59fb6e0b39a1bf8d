import type { Kind, Scanned } from '../../columns/json/scanner.ts'
import { ArrayRows, type RowShape } from './rows.ts'
import type { Window } from './window.ts'

/** The members of an object, each a row: its key is the first column. */
export class RecordRows extends ArrayRows {
  constructor(window: Window, shape: RowShape, path: readonly string[]) {
    super(window, shape, path, [], '{}')
    this.tokens.addRowKeys()
  }

  override get form(): null {
    return null
  }

  protected override item(): Scanned {
    const { tokens } = this
    const { scanner } = tokens
    const key = scanner.key(scanner.space())
    if (key < 0) return key
    const { start, end } = scanner
    const kind = this.scan()
    if (kind >= 0) tokens.put(0, key as Kind, start, end)
    return kind
  }
}
