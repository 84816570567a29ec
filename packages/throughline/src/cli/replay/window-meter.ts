/** Draws the window and the log as bars. */
import type { Context } from '../../index.ts'
import { amountText, grouped } from '../screen/numbers.ts'
import { styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'
import { bandSigns, windowBands } from './bands-data.ts'
import type { LogBands, WindowBands } from './shown-bands.ts'

type LogBand = 'summarized' | 'kept' | 'stub' | 'whole'

function drawCells(band: keyof typeof bandSigns, cells: number, output: Output): string {
  const [unicode, ascii, paint] = bandSigns[band]
  return styleOf(output)[paint]((output.unicode ? unicode : ascii).repeat(cells))
}

export function windowMeter(
  { tokens, budget }: Pick<Context, 'tokens' | 'budget'>,
  bands: WindowBands,
  cells: number,
  output: Output,
): readonly string[] {
  const { dim } = styleOf(output)
  const { windowTokens, availableTokens, triggerTokens, targetTokens } = budget
  const free = Math.max(0, availableTokens - tokens)
  const amounts = { ...bands, free, reserve: windowTokens - availableTokens }
  const names = [...windowBands, 'free', 'reserve'] as const
  const shares = names.map((name) => amounts[name])
  const lengths = bandLengths(shares, cells)
  const bar = names.map((name, index) => drawCells(name, lengths[index] ?? 0, output)).join('')
  const marked = [
    [targetTokens / windowTokens, 'target'],
    [triggerTokens / windowTokens, 'trigger'],
    [availableTokens / windowTokens, 'full'],
  ] as const
  return [
    `${bar}${dim(output.unicode ? '▏' : '|')}`,
    dim(marks(marked, cells, output)),
    windowBands
      .map((band) => `${drawCells(band, 1, output)} ${band} ${amountText(bands[band])}`)
      .join('  '),
  ]
}

/** Names below their positions; those that would overlap are left out. */
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

/** Every band has a cell where there is room. */
export function bandLengths(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0)
  if (whole === 0) return amounts.map(() => 0)
  const least = cells >= amounts.length ? 1 : 0
  const bands = amounts.map((amount) => ({
    amount,
    length: Math.max(Math.floor((amount / whole) * cells), amount > 0 ? least : 0),
  }))
  let left = cells - bands.reduce((sum, { length }) => sum + length, 0)
  const change = Math.sign(left)
  // The largest bands absorb the rounding.
  const largestFirst = bands.toSorted((a, b) => b.amount - a.amount)
  for (let turn = 0; left !== 0 && turn < cells * bands.length; turn += 1) {
    const band = largestFirst[turn % bands.length]
    if (band === undefined || band.amount === 0 || band.length + change < 1) continue
    band.length += change
    left -= change
  }
  return bands.map(({ length }) => length)
}

export function logBar(bands: LogBands, cells: number, output: Output): string {
  const runs: { band: LogBand; length: number }[] = []
  for (const band of logCells(bands, cells)) {
    const last = runs.at(-1)
    if (last?.band === band) last.length += 1
    else runs.push({ band, length: 1 })
  }
  return runs.map(({ band, length }) => drawCells(band, length, output)).join('')
}

export function logLegend({ head, line, kept, stubbed }: LogBands, output: Output): string {
  const shortened = stubbed.reduce((sum, { from, to }) => sum + to - from, 0)
  const counts = [
    ['summarized', 'summarized', line - kept.length],
    ['kept', 'kept', kept.length],
    ['stub', 'shortened', shortened],
    ['whole', 'whole', head - line - shortened],
  ] as const
  return counts
    .map(([band, word, count]) => `${drawCells(band, 1, output)} ${word} ${grouped(count)}`)
    .join('  ')
}

/** A cell may be many messages. */
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
    // One kept message among many is worth showing.
    if (cell <= lineCell) return keeps.has(cell) ? 'kept' : 'summarized'
    return count * 2 > head / cells ? 'stub' : 'whole'
  })
}
