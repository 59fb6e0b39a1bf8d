import { FORMATS } from '../../contract/formats.ts'
import type { Difference, Receipt } from '../../tables/receipt.ts'
import { parseType, type Column, type ColumnType } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import type { EngineContext } from '../formats/types.ts'
import { verifyTable } from './verify.ts'

/**
 * Reads a converted file again, and compares each table in it with its receipt.
 * @param receipts of the tables in it; those that don't say how to read them are left out
 * @returns the differences for each of the receipts; null if nothing could be compared
 * @throws {EngineError} if the file can't be read as a receipt says
 */
export async function verifyAgain(
  file: File,
  receipts: readonly Receipt[],
  context: EngineContext,
): Promise<(readonly Difference[] | null)[]> {
  const compared: (readonly Difference[] | null)[] = []
  for (const { output, found } of receipts) {
    const format = FORMATS.find(({ id }) => id === output.format)
    if (!output.readBack || !format) {
      compared.push(null)
      continue
    }
    const { optional, members } = output.readBack
    const columns = found.columns.map(({ name, type }, i): Column => ({
      name,
      type: typeOf(type),
      ...(optional?.includes(i) ? { optional: true } : {}),
      ...(members?.includes(i) ? { members: true } : {}),
    }))
    const { differences } = await verifyTable(file, format.id, { columns, expected: found }, output.readBack, context)
    compared.push(differences)
  }
  return compared
}

function typeOf(name: string): ColumnType {
  try {
    return parseType(name)
  } catch (cause) {
    throw new EngineError('invalid-plan', `The receipt names a type that Rowhouse doesn’t know: ${name}.`, { cause })
  }
}
