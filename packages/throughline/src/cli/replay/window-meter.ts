/** The window as a meter, for people who watch. */

import { amountText } from '../screen/numbers.ts'
import { type Paint, styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'
import type { AskedStep } from './replay-steps.ts'
import { type LogBands, type WindowBand, windowBands } from './shown-bands.ts'

/** The bar, where trigger and target are, and what the bands are. */
export function windowMeter(
  { tokens, budget, bands }: Pick<AskedStep, 'tokens' | 'budget' | 'bands'>,
  cells: number,
  output: Output,
): readonly string[] {
  const { dim } = styleOf(output)
  const { windowTokens, availableTokens, triggerTokens, targetTokens } = budget
  const drawn: Band[] = [
    ...windowBands.map((band) => ({ amount: bands[band], ...windowSign(band, output) })),
    { amount: Math.max(0, availableTokens - tokens), ...windowSign('free', output) },
    { amount: windowTokens - availableTokens, ...windowSign('reserve', output) },
  ]
  const legend = windowBands.map((band) => {
    const { sign, paint } = windowSign(band, output)
    return `${paint(sign)} ${band} ${amountText(bands[band])}`
  })
  return [
    `${bandBar(drawn, cells)}${dim(output.unicode ? '▏' : '|')}`,
    dim(
      marks(
        [
          [targetTokens / windowTokens, 'target'],
          [triggerTokens / windowTokens, 'trigger'],
          [availableTokens / windowTokens, 'full'],
        ],
        cells,
        output,
      ),
    ),
    legend.join('  '),
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

/** How the bands of a window and of a log are drawn: told apart also where there are no colours. */
interface BandSign {
  readonly sign: string
  readonly paint: (text: string) => string
}

export type LogBand = 'told' | 'kept' | 'stub' | 'whole'

type Drawn = readonly [unicode: string, ascii: string, paint: keyof Paint]

const windowSigns: Readonly<Record<WindowBand | 'free' | 'reserve', Drawn>> = {
  protected: ['▓', '%', 'magenta'],
  past: ['▒', '=', 'cyan'],
  recalled: ['▚', '+', 'yellow'],
  recent: ['█', '#', 'green'],
  free: ['░', '.', 'dim'],
  reserve: [' ', ' ', 'dim'],
}

const logSigns: Readonly<Record<LogBand, Drawn>> = {
  told: ['░', '.', 'cyan'],
  kept: ['▀', 'k', 'green'],
  stub: ['▄', 's', 'yellow'],
  whole: ['█', '#', 'green'],
}

function windowSign(band: keyof typeof windowSigns, output: Output): BandSign {
  return drawnOn(windowSigns[band], output)
}

export function logSign(band: LogBand, output: Output): BandSign {
  return drawnOn(logSigns[band], output)
}

function drawnOn([unicode, ascii, paint]: Drawn, output: Output): BandSign {
  return { sign: output.unicode ? unicode : ascii, paint: styleOf(output)[paint] }
}

/** A bar that is made of bands, one behind the other. */
interface Band {
  readonly amount: number
  /** One column wide. */
  readonly sign: string
  readonly paint: (text: string) => string
}

/** Each band as long as its share of the whole; what is there at all has a cell where there is room. */
function bandBar(bands: readonly Band[], cells: number): string {
  const lengths = bandLengths(
    bands.map(({ amount }) => amount),
    cells,
  )
  return bands.map(({ sign, paint }, index) => paint(sign.repeat(lengths[index] ?? 0))).join('')
}

export function bandLengths(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0)
  if (whole === 0) return amounts.map(() => 0)
  const lengths = amounts.map((amount) => Math.floor((amount / whole) * cells))
  const seen = lengths.map((length, index) =>
    length === 0 && (amounts[index] ?? 0) > 0 && cells >= amounts.length ? 1 : length,
  )
  let left = cells - seen.reduce((sum, length) => sum + length, 0)
  // The largest give or take what rounding has left.
  const largestFirst = amounts
    .map((_, index) => index)
    .sort((a, b) => (amounts[b] ?? 0) - (amounts[a] ?? 0))
  for (let turn = 0; left !== 0 && turn < cells * amounts.length; turn += 1) {
    const index = largestFirst[turn % amounts.length] ?? 0
    const change = Math.sign(left)
    if ((amounts[index] ?? 0) === 0 || (seen[index] ?? 0) + change < 1) continue
    seen[index] = (seen[index] ?? 0) + change
    left -= change
  }
  return seen
}

/** The log as a bar: what of it a context tells, keeps, shortens and shows whole. */
export function logBar(bands: LogBands, cells: number, output: Output): string {
  return runsOf(logCells(bands, cells))
    .map(([band, length]) => {
      const { sign, paint } = logSign(band, output)
      return paint(sign.repeat(length))
    })
    .join('')
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

function runsOf(cells: readonly LogBand[]): readonly (readonly [LogBand, number])[] {
  const runs: [LogBand, number][] = []
  for (const band of cells) {
    const last = runs.at(-1)
    if (last !== undefined && last[0] === band) last[1] += 1
    else runs.push([band, 1])
  }
  return runs
}
