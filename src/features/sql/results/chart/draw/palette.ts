/*
 * Colors for data. They can be distinguished with color vision deficiencies, and have a contrast of 3:1 to the
 * background.
 */

/** For light and for dark backgrounds. */
export const SERIES: readonly (readonly [light: string, dark: string])[] = [
  ['#146c70', '#61d4ca'],
  ['#995800', '#c65d2e'],
  ['#1a93f9', '#67a4d8'],
  ['#793db9', '#7873d7'],
  ['#869a13', '#bfb52a'],
  ['#c67c96', '#d98581'],
  ['#323e73', '#a26c92'],
  ['#6a381e', '#bae089'],
]

/** From few to many. Intermediate colors differ by lightness only. */
export const RAMP: readonly [low: readonly [string, string], high: readonly [string, string]] = [
  ['#dcedea', '#24403f'],
  ['#0b3f45', '#9af3ee'],
]

export const OTHERS_COLOR = 'var(--chart-others)'

/** CSS variables `--chart-1` … `--chart-8`, `--chart-low`, `--chart-high` and `--chart-others`. */
export function paletteStyle(): Record<string, string> {
  const both = ([light, dark]: readonly [string, string]): string => `light-dark(${light}, ${dark})`
  const style: Record<string, string> = {
    '--chart-low': both(RAMP[0]),
    '--chart-high': both(RAMP[1]),
    '--chart-others': both(['#77726a', '#a19c93']),
  }
  for (const [i, pair] of SERIES.entries()) style[`--chart-${i + 1}`] = both(pair)
  return style
}

export function seriesColor(index: number): string {
  return `var(--chart-${(index % SERIES.length) + 1})`
}

/** @param share from 0 to 1 */
export function rampColor(share: number): string {
  return `color-mix(in oklab, var(--chart-high) ${(share * 100).toFixed(1)}%, var(--chart-low))`
}
