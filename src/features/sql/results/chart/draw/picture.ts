import type { ChartData } from '../data/chart-data.ts'
import { colorRange } from '../data/color-range.ts'
import { numberLabel } from '../model/labels.ts'
import { paletteStyle } from './palette.ts'
import { colorOf, keySizes, MOST_RADIUS, shorten } from './parts.ts'
import { drawChart, heightOf } from './plot.ts'

/* A chart as a self-contained image: colors and fonts are written into it. */

export type Ground = 'theme' | 'white'

interface PictureOptions {
  readonly title: string
  /** Notes below the chart. */
  readonly notes: readonly string[]
  readonly ground: Ground
}

const WIDTH = 960
const HEIGHT = 560
const PADDING = 24
const LINE = 18
/** The theme's text colors don't suit a white background. */
const INK_ON_WHITE = { '--ink': '#221d18', '--ink-2': '#57504a' }
const SVG = 'http://www.w3.org/2000/svg'
/** Pixels per CSS pixel, for sharp printing and high-density screens. */
const SHARPNESS = 2

/** A self-contained SVG document. */
export function svgPicture(data: ChartData, { title, notes, ground }: PictureOptions): string {
  const stage = document.createElement('div')
  Object.assign(stage.style, {
    position: 'fixed',
    left: '-10000px',
    top: '0',
    color: 'var(--ink)',
    fontFamily: 'var(--font)',
  })
  if (ground === 'white') {
    stage.style.colorScheme = 'light'
    for (const [name, value] of Object.entries(INK_ON_WHITE)) stage.style.setProperty(name, value)
  }
  for (const [name, value] of Object.entries(paletteStyle())) stage.style.setProperty(name, value)
  document.body.append(stage)
  try {
    const inner = WIDTH - 2 * PADDING
    const height = heightOf(data, inner, HEIGHT)
    const caption = notes.flatMap((note) => wrapped(note, 130))
    const head = PADDING + LINE + 8
    const key = keyOf(data, head)
    const top = head + key.height
    const whole = top + height + caption.length * LINE + PADDING
    const root = element('svg', {
      viewBox: `0 0 ${WIDTH} ${whole}`,
      width: WIDTH,
      height: whole,
      role: 'img',
      'aria-label': title,
    })
    root.style.display = 'block'
    const drawn = drawChart(data, { width: inner, height })
    // Programs that show SVG handle groups more consistently than nested SVG elements.
    const chart = element('g', {
      transform: `translate(${PADDING} ${top})`,
      fill: 'currentColor',
      'font-size': 12,
      'text-anchor': 'middle',
    })
    chart.append(...drawn.childNodes)
    root.append(
      element('rect', { width: WIDTH, height: whole, fill: ground === 'white' ? '#ffffff' : 'var(--surface)' }),
      text(title, PADDING, PADDING + 14, { 'font-size': 17, 'font-weight': 600 }),
      key.group,
      chart,
      ...caption.map((line, i) =>
        text(line, PADDING, top + height + (i + 1) * LINE, { 'font-size': 12, fill: 'var(--ink-2)' }),
      ),
    )
    stage.append(root)
    cleanTexts(root)
    writeOut(root)
    // An image has one name; its parts have no roles that can be named.
    for (const part of root.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label')
    root.setAttribute('xmlns', SVG)
    return new XMLSerializer().serializeToString(root)
  } finally {
    stage.remove()
  }
}

/** Renders an SVG document as PNG at twice its size. @throws {Error} if the browser can't */
export async function pngPicture(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth * SHARPNESS
    canvas.height = image.naturalHeight * SHARPNESS
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png')
    })
    if (!blob) throw new Error('The browser couldn’t make a PNG of that size.')
    return blob
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** The legend for series and areas, or for a heat map's colors. */
function keyOf(data: ChartData, top: number): { readonly group: SVGElement; readonly height: number } {
  const group = element('g', { 'font-size': 12 })
  if (data.spec.mark === 'heatmap' && data.points.length > 0) {
    const [low, high] = colorRange(data)
    for (let i = 0; i < 24; i++) {
      const fill = `color-mix(in oklab, var(--chart-high) ${(i / 23) * 100}%, var(--chart-low))`
      group.append(element('rect', { x: PADDING + i * 6, y: top + 6, width: 6, height: 10, fill }))
    }
    group.append(text(`${data.measure}: ${numberLabel(low)} to ${numberLabel(high)}`, PADDING + 154, top + 15, {}))
    return { group, height: 26 }
  }
  let [x, y] = [PADDING, top]
  for (const name of data.series) {
    const shown = name.length > 40 ? `${name.slice(0, 39)}…` : name
    const width = 24 + shown.length * 7
    if (x + width > WIDTH - PADDING && x > PADDING) [x, y] = [PADDING, y + LINE + 2]
    group.append(
      element('rect', { x, y: y + 5, width: 11, height: 11, rx: 2, fill: colorOf(data, name) }),
      text(shown, x + 17, y + 15, {}),
    )
    x += width + 8
  }
  const height = data.series.length > 0 ? y - top + 26 : 0
  return { group, height: height + addSizes(group, data, top + height) }
}

/** @returns the height of the legend's areas */
function addSizes(group: SVGElement, data: ChartData, top: number): number {
  const sizes = keySizes(data)
  if (sizes.length === 0) return 0
  const middle = top + MOST_RADIUS + 3
  const name = shorten(data.sizeLabel)
  group.append(text(name, PADDING, middle + 4, {}))
  let x = PADDING + 16 + name.length * 7
  for (const { label, radius } of sizes) {
    group.append(
      element('circle', { cx: x + radius, cy: middle, r: radius, fill: 'none', stroke: 'var(--ink-2)' }),
      text(label, x + 2 * radius + 6, middle + 4, {}),
    )
    x += 2 * radius + 22 + label.length * 7
  }
  return 2 * MOST_RADIUS + 12
}

const PAINTED = ['fill', 'stroke', 'color'] as const
const WRITTEN = ['font-family', 'font-size', 'font-weight', 'font-variant', 'text-anchor'] as const

/** Removes characters that XML doesn't allow, since data may have them and the document would be unreadable. */
function cleanTexts(root: SVGElement): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    node.nodeValue = (node.nodeValue ?? '').replace(NOT_XML, '\ufffd')
  }
}

const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Writes computed styles into the elements, with colors that every program understands. */
function writeOut(root: SVGElement): void {
  const all = [root, ...root.querySelectorAll<SVGElement>('*')]
  const found = all
    .map((each) => getComputedStyle(each))
    .map((style) => ({
      painted: PAINTED.map((name) => [name, plainColor(style.getPropertyValue(name))] as const),
      written: WRITTEN.map((name) => [name, style.getPropertyValue(name)] as const),
    }))
  for (const [i, each] of all.entries()) {
    for (const name of ['aria-hidden', 'class', 'style']) each.removeAttribute(name)
    const { painted = [], written = [] } = found[i] ?? {}
    if (each instanceof SVGStyleElement) {
      each.remove()
      continue
    }
    for (const [name, value] of painted) if (value !== null) each.setAttribute(name, value)
    if (each instanceof SVGTextElement || each === root)
      for (const [name, value] of written) each.setAttribute(name, value)
  }
}

let canvas: CanvasRenderingContext2D | null | undefined
const known = new Map<string, string>()

/** Converts a CSS color to `#rrggbb` or `rgba()`; null for other values (`url(#…)`). */
function plainColor(color: string): string | null {
  if (color === 'none' || color === '' || color.startsWith('url')) return color === 'none' ? 'none' : null
  const before = known.get(color)
  if (before !== undefined) return before
  canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  if (!canvas) return color
  canvas.clearRect(0, 0, 1, 1)
  canvas.fillStyle = color
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')
  const plain = alpha === 255 ? `#${hex}` : `rgba(${red},${green},${blue},${(alpha / 255).toFixed(3)})`
  known.set(color, plain)
  return plain
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

function text(
  content: string,
  x: number,
  y: number,
  attributes: Readonly<Record<string, string | number>>,
): SVGElement {
  const made = element('text', { x, y, fill: 'var(--ink)', ...attributes })
  made.textContent = content
  return made
}

function wrapped(sentence: string, length: number): string[] {
  const lines: string[] = ['']
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= length) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
