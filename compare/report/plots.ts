/** Plots as SVG files, each for a light and a dark page. */
import { methods, ourName } from '../methods.ts'
import { timeSizes } from './metrics.ts'
import type { Results } from './results.ts'

const themes = {
  light: {
    text: '#1f2328',
    faint: '#d1d9e0',
    other: '#8c959f',
    ours: '#0969da',
    ground: '#ffffff',
  },
  dark: { text: '#f0f6fc', faint: '#3d444d', other: '#9198a1', ours: '#4493f8', ground: '#0d1117' },
} as const

type Theme = (typeof themes)[keyof typeof themes]

/** By file name. */
export function plotsOf({ figures }: Pick<Results, 'figures'>): ReadonlyMap<string, string> {
  const plots = new Map<string, string>()
  for (const [name, theme] of Object.entries(themes)) {
    plots.set(`kept-and-cost-${name}.svg`, keptAndCost(figures, theme))
    plots.set(`turn-${name}.svg`, turnTimes(figures, theme))
  }
  return plots
}

interface Point {
  readonly name: string
  readonly x: number
  readonly y: number
}

const [width, height, left, right, top, bottom] = [760, 420, 64, 200, 24, 52]

/** What requests cost, and how much of what is needed next they show. */
function keptAndCost(figures: Results['figures'], theme: Theme): string {
  const points = methods.flatMap(({ name }): readonly Point[] => {
    const [x, y] = [figures[name]?.['cost-5'], figures[name]?.['survival']]
    return x == null || y == null ? [] : [{ name, x, y }]
  })
  const [least, most] = bounds(points.map(({ x }) => x))
  const scaleX = logScale(least, most, left, width - right)
  const scaleY = (value: number) => height - bottom - value * (height - top - bottom)
  const marks = points.map(({ name, x, y }) => dot(scaleX(x), scaleY(y), name, theme))
  const lines = [0, 0.25, 0.5, 0.75, 1].map((value) =>
    gridY(scaleY(value), value.toFixed(2), theme),
  )
  const ticks = decades(least, most).map((value) => tickX(scaleX(value), value, theme))
  return page(theme, [
    ...lines,
    ...ticks,
    ...marks,
    label(
      left,
      height - 12,
      'cost of a request, in tokens of fresh input, cache of 5 minutes (left is better)',
      theme,
    ),
    label(left, 14, 'share of the names needed next that it shows (up is better)', theme),
  ])
}

/** The mean of a turn at each length. */
function turnTimes(figures: Results['figures'], theme: Theme): string {
  const series = methods.map(({ name }) => ({
    name,
    points: timeSizes.flatMap((size): readonly Point[] => {
      const y = figures[name]?.[`mean-${size}`]
      return y == null ? [] : [{ name, x: size, y }]
    }),
  }))
  const [least, most] = bounds(series.flatMap(({ points }) => points.map(({ y }) => y)))
  const scaleX = logScale(100, 100_000, left, width - right)
  const scaleY = logScale(least, most, height - bottom, top)
  const lines = decades(least, most).map((value) =>
    gridY(scaleY(value), value.toLocaleString('en-US'), theme),
  )
  const ticks = timeSizes.map((size) => tickX(scaleX(size), size, theme))
  const drawn = series.flatMap(({ name, points }) => {
    const path = points
      .map(({ x, y }) => `${scaleX(x).toFixed(1)},${scaleY(y).toFixed(1)}`)
      .join(' ')
    const last = points.at(-1)
    if (last === undefined) return []
    const color = name === ourName ? theme.ours : theme.other
    return [
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${name === ourName ? 3 : 1.5}"/>`,
      dot(scaleX(last.x), scaleY(last.y), name, theme),
    ]
  })
  return page(theme, [
    ...lines,
    ...ticks,
    ...drawn,
    label(left, height - 12, 'messages in the conversation', theme),
    label(left, 14, 'mean of a turn, ms (down is better)', theme),
  ])
}

function bounds(values: readonly number[]): readonly [number, number] {
  const positive = values.filter((value) => value > 0)
  return positive.length === 0
    ? [1, 10]
    : [Math.min(...positive) * 0.8, Math.max(...positive) * 1.2]
}

function logScale(
  least: number,
  most: number,
  from: number,
  to: number,
): (value: number) => number {
  const [low, high] = [Math.log10(least), Math.log10(most)]
  return (value) =>
    from + ((Math.log10(Math.max(value, least)) - low) / (high - low || 1)) * (to - from)
}

function decades(least: number, most: number): readonly number[] {
  const first = Math.ceil(Math.log10(least))
  const count = Math.max(0, Math.floor(Math.log10(most)) - first + 1)
  return Array.from({ length: count }, (_, index) => 10 ** (first + index))
}

function gridY(y: number, text: string, { faint, text: color }: Theme): string {
  return `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="${faint}"/><text x="${left - 8}" y="${y + 4}" text-anchor="end" fill="${color}">${text}</text>`
}

function tickX(x: number, value: number, { faint, text }: Theme): string {
  return `<line x1="${x}" x2="${x}" y1="${height - bottom}" y2="${height - bottom + 5}" stroke="${faint}"/><text x="${x}" y="${height - bottom + 18}" text-anchor="middle" fill="${text}">${value.toLocaleString('en-US')}</text>`
}

function dot(x: number, y: number, name: string, { ours, other, text }: Theme): string {
  const color = name === ourName ? ours : other
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${name === ourName ? 6 : 4}" fill="${color}"/><text x="${(x + 9).toFixed(1)}" y="${(y + 4).toFixed(1)}" fill="${text}">${escaped(name)}</text>`
}

function label(x: number, y: number, text: string, { text: color }: Theme): string {
  return `<text x="${x}" y="${y}" fill="${color}">${escaped(text)}</text>`
}

function page({ ground }: Theme, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12"><rect width="${width}" height="${height}" fill="${ground}"/>\n${parts.join('\n')}\n</svg>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
