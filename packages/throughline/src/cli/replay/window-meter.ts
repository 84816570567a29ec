/** The window as a meter, for people who watch. */
import { type Band, bandBar } from '../screen/band-bar.ts'
import { paintOf } from '../screen/paint.ts'
import type { Output } from '../world.ts'
import { amountText } from './amount-text.ts'
import { windowSign } from './band-signs.ts'
import type { AskedStep } from './replay-steps.ts'
import { windowBands } from './shown-bands.ts'

/** The bar, where trigger and target are, and what the bands are. */
export function windowMeter(
  { tokens, budget, bands }: Pick<AskedStep, 'tokens' | 'budget' | 'bands'>,
  cells: number,
  output: Output,
): readonly string[] {
  const { dim } = paintOf(output)
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
