/** The window and the log as bars, for people who watch. */
import type { Context } from '../../index.ts'
import { amountText, grouped } from '../screen/numbers.ts'
import { type Paint, styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'
import { type LogBands, type WindowBand, type WindowBands, windowBands } from './shown-bands.ts'

type LogBand = 'told' | 'kept' | 'stub' | 'whole'

type Drawn = readonly [unicode: string, ascii: string, paint: keyof Paint]

/** How each band is drawn: told apart also where there are no colours. */
const signs: Readonly<Record<WindowBand | 'free' | 'reserve' | LogBand, Drawn>> = {
  protected: ['▓', '%', 'magenta'],
  past: ['▒', '=', 'cyan'],
  recalled: ['▚', '+', 'yellow'],
  recent: ['█', '#', 'green'],
  free: ['░', '.', 'dim'],
  reserve: [' ', ' ', 'dim'],
  told: ['░', '.', 'cyan'],
  kept: ['▀', 'k', 'green'],
  stub: ['▄', 's', 'yellow'],
  whole: ['█', '#', 'green'],
}

/** A run of one band, so many cells long. */
function drawn(band: keyof typeof signs, cells: number, output: Output): string {
  const [unicode, ascii, paint] = signs[band]
  return styleOf(output)[paint]((output.unicode ? unicode : ascii).repeat(cells))
}

/** The bar, where trigger and target are, and what the bands are. */
export function windowMeter(
  { tokens, budget }: Pick<Context, 'tokens' | 'budget'>,
  bands: WindowBands,
  cells: number,
  output: Output,
): readonly string[] {
  const { dim } = styleOf(output)
  const { windowTokens, availableTokens, triggerTokens, targetTokens } = budget
  const amounts = {
    ...bands,
    free: Math.max(0, availableTokens - tokens),
    reserve: windowTokens - availableTokens,
  }
  const names = [...windowBands, 'free', 'reserve'] as const
  const lengths = bandLengths(
    names.map((name) => amounts[name]),
    cells,
  )
  const bar = names.map((name, index) => drawn(name, lengths[index] ?? 0, output)).join('')
  const marked = [
    [targetTokens / windowTokens, 'target'],
    [triggerTokens / windowTokens, 'trigger'],
    [availableTokens / windowTokens, 'full'],
  ] as const
  return [
    `${bar}${dim(output.unicode ? '▏' : '|')}`,
    dim(marks(marked, cells, output)),
    windowBands
      .map((band) => `${drawn(band, 1, output)} ${band} ${amountText(bands[band])}`)
      .join('  '),
  ]
}

/** Words below the places that they name; those that would stand in another are left out. */
function marks(
  named: readonly (readonly [share: number, name: string])[],
  cells: number,
  output: Output,
): string {
  let line = ''
  for (const [share, name] of named) {
    const at = Math.round(share * cells)
    if (at < line.length + (line === '' ? 0 : 1) || at >= cells + name.length) continue
    line = `${line.padEnd(at)}${output.unicode ? '▲' : '^'}${name}`
  }
  return line
}

/** Each as long as its share of the whole; what is there at all has a cell where there is room. */
export function bandLengths(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0)
  if (whole === 0) return amounts.map(() => 0)
  const lengths = amounts.map((amount) => {
    const length = Math.floor((amount / whole) * cells)
    return length === 0 && amount > 0 && cells >= amounts.length ? 1 : length
  })
  let left = cells - lengths.reduce((sum, length) => sum + length, 0)
  // The largest give or take what rounding has left.
  const largestFirst = amounts
    .map((_, index) => index)
    .sort((a, b) => (amounts[b] ?? 0) - (amounts[a] ?? 0))
  for (let turn = 0; left !== 0 && turn < cells * amounts.length; turn += 1) {
    const index = largestFirst[turn % amounts.length] ?? 0
    const change = Math.sign(left)
    if ((amounts[index] ?? 0) === 0 || (lengths[index] ?? 0) + change < 1) continue
    lengths[index] = (lengths[index] ?? 0) + change
    left -= change
  }
  return lengths
}

/** The log as a bar: what of it a context tells, keeps, shortens and shows whole. */
export function logBar(bands: LogBands, cells: number, output: Output): string {
  const runs: [LogBand, number][] = []
  for (const band of logCells(bands, cells)) {
    const last = runs.at(-1)
    if (last !== undefined && last[0] === band) last[1] += 1
    else runs.push([band, 1])
  }
  return runs.map(([band, length]) => drawn(band, length, output)).join('')
}

/** What the signs of the bar mean, and how many messages each stands for. */
export function logLegend({ head, line, kept, stubbed }: LogBands, output: Output): string {
  const shortened = stubbed.reduce((sum, { from, to }) => sum + to - from, 0)
  const counts = [
    ['told', 'told', line - kept.length],
    ['kept', 'kept', kept.length],
    ['stub', 'shortened', shortened],
    ['whole', 'whole', head - line - shortened],
  ] as const
  return counts
    .map(([band, word, count]) => `${drawn(band, 1, output)} ${word} ${grouped(count)}`)
    .join('  ')
}

/** What each cell stands for; a cell may be many messages. */
export function logCells(
  { head, line, kept, stubbed }: LogBands,
  most: number,
): readonly LogBand[] {
  const cells = Math.min(most, head)
  const cellOf = (place: number) => Math.min(cells - 1, Math.floor((place * cells) / head))
  const stubs = new Array<number>(cells).fill(0)
  for (const { from, to } of stubbed)
    for (let place = from; place < to; place += 1)
      stubs[cellOf(place)] = (stubs[cellOf(place)] ?? 0) + 1
  const keeps = new Set(kept.map(cellOf))
  const lineCell = line === 0 ? -1 : cellOf(line - 1)
  return stubs.map((count, cell) => {
    // One message that is kept among many that are not is worth to be seen.
    if (cell <= lineCell) return keeps.has(cell) ? 'kept' : 'told'
    return count * 2 > head / cells ? 'stub' : 'whole'
  })
}
