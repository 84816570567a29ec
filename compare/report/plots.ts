/** Plots as SVG files, which follow the colours that the reader's system prefers, light or dark. */
import { methods, ourName } from '../methods.ts'
import { timeSizes } from './metrics.ts'
import type { Results } from './results.ts'

const style = [
  'text{font:12px system-ui,sans-serif;fill:#1c2526}.ground{fill:#fff}.grid{stroke:#d1d9e0}',
  '.other{fill:#7d8a88;stroke:#7d8a88}.ours{fill:#0b6159;stroke:#0b6159}polyline{fill-opacity:0}',
  '@media (prefers-color-scheme:dark){text{fill:#e2e9e8}.ground{fill:#14191a}.grid{stroke:#3d4847}',
  '.other{fill:#9fb0ae;stroke:#9fb0ae}.ours{fill:#68d6c8;stroke:#68d6c8}}',
].join('')

/** By file name; a part that was never run has none. */
export function plotsOf({ figures }: Pick<Results, 'figures'>): ReadonlyMap<string, string> {
  const has = (start: string) =>
    Object.values(figures).some((each) =>
      Object.entries(each).some(([name, value]) => name.startsWith(start) && value != null),
    )
  return new Map([
    ...(has('survival') ? [['kept-and-cost.svg', keptAndCost(figures)] as const] : []),
    ...(has('mean-') ? [['turn.svg', turnTimes(figures)] as const] : []),
  ])
}

interface Point {
  readonly name: string
  readonly x: number
  readonly y: number
}

const [width, height, left, right, top, bottom] = [760, 420, 64, 200, 24, 52]

/** What requests cost, and how much of what is needed next they show. */
function keptAndCost(figures: Results['figures']): string {
  const points = methods.flatMap(({ name }): readonly Point[] => {
    const [x, y] = [figures[name]?.['cost-5'], figures[name]?.['survival']]
    return x == null || y == null ? [] : [{ name, x, y }]
  })
  const [least, most] = bounds(points.map(({ x }) => x))
  const scaleX = logScale(least, most, left, width - right)
  const scaleY = (value: number) => height - bottom - value * (height - top - bottom)
  const marks = points.map(({ name, x, y }) => dot(scaleX(x), scaleY(y), name))
  const lines = [0, 0.25, 0.5, 0.75, 1].map((value) => gridY(scaleY(value), value.toFixed(2)))
  const ticks = decades(least, most).map((value) => tickX(scaleX(value), value))
  return page('What requests cost, and what they show', [
    ...lines,
    ...ticks,
    ...marks,
    label(
      left,
      height - 12,
      'cost of a request, in tokens of fresh input, cache of 5 minutes (left is better)',
    ),
    label(left, 14, 'share of the names needed next that it shows (up is better)'),
  ])
}

/** The mean of a turn at each length. */
function turnTimes(figures: Results['figures']): string {
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
    gridY(scaleY(value), value.toLocaleString('en-US')),
  )
  const ticks = timeSizes.map((size) => tickX(scaleX(size), size))
  const drawn = series.flatMap(({ name, points }) => {
    const path = points
      .map(({ x, y }) => `${scaleX(x).toFixed(1)},${scaleY(y).toFixed(1)}`)
      .join(' ')
    const last = points.at(-1)
    if (last === undefined) return []
    const kind = name === ourName ? 'ours' : 'other'
    return [
      `<polyline points="${path}" class="${kind}" stroke-width="${name === ourName ? 3 : 1.5}"/>`,
      dot(scaleX(last.x), scaleY(last.y), name),
    ]
  })
  return page('The mean of a turn', [
    ...lines,
    ...ticks,
    ...drawn,
    label(left, height - 12, 'messages in the conversation'),
    label(left, 14, 'mean of a turn, ms (down is better)'),
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

function gridY(y: number, text: string): string {
  return `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" class="grid"/><text x="${left - 8}" y="${y + 4}" text-anchor="end">${text}</text>`
}

function tickX(x: number, value: number): string {
  return `<line x1="${x}" x2="${x}" y1="${height - bottom}" y2="${height - bottom + 5}" class="grid"/><text x="${x}" y="${height - bottom + 18}" text-anchor="middle">${value.toLocaleString('en-US')}</text>`
}

function dot(x: number, y: number, name: string): string {
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${name === ourName ? 6 : 4}" class="${name === ourName ? 'ours' : 'other'}"/><text x="${(x + 9).toFixed(1)}" y="${(y + 4).toFixed(1)}">${escaped(name)}</text>`
}

function label(x: number, y: number, text: string): string {
  return `<text x="${x}" y="${y}">${escaped(text)}</text>`
}

function page(title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${title}</title><style>${style}</style><rect class="ground" width="${width}" height="${height}"/>\n${parts.join('\n')}\n</svg>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
