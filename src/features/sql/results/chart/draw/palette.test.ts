import { describe, expect, test } from 'vitest'
import { RAMP, SERIES } from './palette.ts'

type Color = readonly [number, number, number]

const linear = (hex: string): Color => {
  const part = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}
const luminance = ([r, g, b]: Color): number => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(linear(one)), luminance(linear(other))].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Colors as seen by people who lack one kind of cone (Machado, Oliveira and Fernandes 2009, full severity). */
const EYES: Readonly<Record<string, readonly Color[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function oklab([r, g, b]: Color): Color {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

const seen = (hex: string, eye: readonly Color[]): Color => {
  const color = linear(hex)
  const row = (of: Color | undefined): number =>
    Math.max(
      0,
      (of ?? [0, 0, 0]).reduce((sum, part, i) => sum + part * (color[i] ?? 0), 0),
    )
  return oklab([row(eye[0]), row(eye[1]), row(eye[2])])
}

describe.each([
  ['light', 0, '#fffefd'],
  ['dark', 1, '#1e1b17'],
] as const)('on a %s ground', (_, ground, background) => {
  const colors = SERIES.map((pair) => pair[ground])

  test('colors have enough contrast', () => {
    for (const color of colors) expect(contrast(color, background)).toBeGreaterThanOrEqual(3)
    expect(contrast(RAMP[1][ground], background)).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.entries(EYES))('colors can be distinguished by %s eyes', (_name, eye) => {
    const places = colors.map((color) => seen(color, eye))
    for (const [i, one] of places.entries()) {
      for (const other of places.slice(0, i)) {
        expect(Math.hypot(...one.map((part, k) => part - (other[k] ?? 0)))).toBeGreaterThan(0.09)
      }
    }
  })
})
