import type { ParameterValue } from '../../../engine/client.ts'

const SHAPES: Partial<Record<ParameterValue['type'], readonly [RegExp, string]>> = {
  BIGINT: [/^[+-]?\d{1,19}$/, 'A whole number, such as 42.'],
  DOUBLE: [/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$|^[+-]?(inf(inity)?|nan)$/i, 'A number, such as 1.5 or 2e9.'],
  'DECIMAL(38,9)': [/^[+-]?(\d{1,29}(\.\d{0,9})?|\.\d{1,9})$/, 'A number with up to 9 decimals, such as 19.90.'],
  BOOLEAN: [/^(true|false)$/i, 'true or false.'],
  DATE: [/^\d{4}-\d{2}-\d{2}$/, 'A date such as 2024-01-31.'],
  TIMESTAMP: [/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?$/, 'Such as 2024-01-31 14:30:00.'],
}

/** What a value of that type looks like, when this one doesn't; null when it may be one: the engine has the last word. */
export function valueProblem({ type, text }: ParameterValue): string | null {
  const shape = SHAPES[type]
  if (!shape || text === null) return null
  return shape[0].test(text.trim()) ? null : shape[1]
}
