/** The window over time: what it was filled with, and where it was compacted. */
import type { ReplayReport, ReplaySeries } from '../replay-report.ts'
import { type WindowBand, windowBands } from '../shown-bands.ts'
import { bucketsOf, type Curve, drawPlot, legend, type Markup, markup } from './plot.ts'

export function windowPlot(report: ReplayReport, series: ReplaySeries): Markup {
  const count = series.bands.recent.length
  const levels = [
    { name: 'full', value: report.availableTokens },
    { name: 'compacted above', value: series.triggerTokens },
    { name: 'down to about', value: series.targetTokens },
  ]
  return markup`${drawPlot({
    label: 'Tokens of each request, by what they are spent on',
    curves: stacked(series, fullest(series, count)),
    levels,
    marks: series.compactions.map((index) => index / Math.max(1, count - 1)),
    from: 'request 1',
    to: `request ${count}`,
  })}
${legend(windowBands.map((band) => ({ name: band, kind: band })))}
<p class="note">Dashed: full at ${report.availableTokens.toLocaleString('en-US')} tokens, compacted above ${series.triggerTokens.toLocaleString('en-US')}, down to about ${series.targetTokens.toLocaleString('en-US')}. Ticks at the top: compactions.</p>`
}

/** Of each run the request that was the fullest: none that went too far is hidden. */
function fullest({ bands }: ReplaySeries, count: number): readonly number[] {
  const total = (index: number) =>
    windowBands.reduce((sum, band) => sum + (bands[band][index] ?? 0), 0)
  return bucketsOf(count).map(([from, to]) => {
    let most = from
    for (let index = from; index < to; index += 1) if (total(index) > total(most)) most = index
    return most
  })
}

function stacked({ bands }: ReplaySeries, indexes: readonly number[]): readonly Curve[] {
  let below: readonly number[] = indexes.map(() => 0)
  return windowBands.map((band: WindowBand) => {
    const above = below
    below = above.map((sum, point) => sum + (bands[band][indexes[point] ?? 0] ?? 0))
    return { name: band, kind: band, values: below, above }
  })
}
