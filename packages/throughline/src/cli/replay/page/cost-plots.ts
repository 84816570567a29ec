/** What requests cost, one by one and all together, beside the simpler ways. */
import { amountText, grouped } from '../../screen/numbers.ts'
import { type CostMethod, costMethods } from '../../simulation/cost-session.ts'
import type { ReplayReport, ReplaySeries } from '../replay-report.ts'
import { type WindowBand, windowBands } from '../shown-bands.ts'
import { bucketsOf, type Curve, drawPlot, legend, type Markup, markup } from './plot.ts'

// Single requests jump between next to nothing and the whole window: means can be compared.
const meansMost = 50

const kindOf = (method: CostMethod) => `method-${method}`

export function costPlots({ costs }: ReplaySeries): Markup {
  const count = costs.throughline.length
  const buckets = bucketsOf(count)
  const ends = { from: 'request 1', to: `request ${count}` }
  const curves = (valuesOf: (costs: readonly number[]) => readonly number[]) =>
    costMethods.map((method) => ({
      name: method,
      kind: kindOf(method),
      values: valuesOf(costs[method]),
    }))
  const means = (values: readonly number[]) =>
    bucketsOf(count, meansMost).map(([from, to]) => sumOf(values.slice(from, to)) / (to - from))
  const sums = (values: readonly number[]) => {
    let sum = 0
    return buckets.map(([from, to]) => {
      sum += sumOf(values.slice(from, to))
      return sum
    })
  }
  return markup`<h3>All requests so far</h3>
${drawPlot({ label: 'Tokens billed so far', curves: curves(sums), ...ends })}
${legend(curves(() => []))}
<h3>A request, on average as it went</h3>
${drawPlot({ label: 'Tokens billed for each request', curves: curves(means), ...ends })}
${legend(curves(() => []))}`
}

export function costTable({ cost }: ReplayReport): Markup {
  return markup`<div class="scroll"><table>
<thead><tr><th>way</th><th class="n">tokens</th><th class="n">of sliding</th><th class="n">of forgetting</th><th class="n">writes, gaps</th><th>note</th></tr></thead>
<tbody>${costMethods.map((method) => {
    const { tokens, ofSliding, ofForgetting, paidOfSliding, fits, largestRequest, summaries } =
      cost[method]
    const note =
      !fits && method === 'full'
        ? `its largest request has ${amountText(largestRequest)} tokens: it does not fit`
        : summaries > 0
          ? `${summaries} summaries`
          : ''
    return markup`<tr class="${method === 'throughline' ? 'ours' : 'other'}"><td><i class="swatch ${kindOf(method)}"></i>${method}</td><td class="n">${amountText(tokens)}</td><td class="n">${ofSliding.toFixed(2)}</td><td class="n">${ofForgetting.toFixed(2)}</td><td class="n">${paidOfSliding.toFixed(2)}</td><td>${note}</td></tr>`
  })}</tbody></table></div>
<p class="note">In tokens of fresh input: what a request begins with like the one before costs a tenth, what is written for a summary four times. Full: everything, always. Sliding: the oldest message leaves at 0.9 of the window. Forgetting: at 0.9 down to 0.45, and nothing stands for what is gone. Model-summary: at 0.8 a model tells all but six messages. Writes, gaps: of sliding, with cache writes at 1.25 and a cache that is empty after five minutes.</p>`
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The window over time: what it was filled with, and where it was compacted. */
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
<p class="note">Dashed: full at ${grouped(report.availableTokens)} tokens, compacted above ${grouped(series.triggerTokens)}, down to about ${grouped(series.targetTokens)}. Ticks at the top: compactions.</p>`
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
