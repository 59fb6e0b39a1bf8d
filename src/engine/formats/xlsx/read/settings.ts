import type { ReadSettings, XlsxSettings } from '../../../../tables/plan.ts'

/** The settings as far as they are given for a workbook. */
export function xlsxSettings(given: Partial<ReadSettings>): XlsxSettings {
  return 'headerRow' in given && given.headerRow
    ? { kind: 'xlsx', headerRow: given.headerRow }
    : { kind: 'xlsx', headerRow: {} }
}

/** A sheet's header row; null: it has none; undefined: to be detected. */
export function headerSetting(settings: XlsxSettings, sheet: string): number | null | undefined {
  // Sheets can be named like what every object has: `__proto__`, `constructor`.
  return Object.hasOwn(settings.headerRow, sheet) ? settings.headerRow[sheet] : undefined
}
