/**
 * The report of a replay as one page, without scripts or loaded resources, and with a policy that forbids
 * both.
 */
import type { ShownKind } from '../../../index.ts'
import { amountText, countsText, duration, grouped } from '../../screen/numbers.ts'
import { type CostMethod, costMethods } from '../../simulation/cost-session.ts'
import { windowBands } from '../bands-data.ts'
import type { CompactionReport, CostReport, ReplayReport, ReplaySeries } from '../replay-report.ts'
import { costCells } from '../report-lines.ts'
import { bandOf, type LogBands, type ShownPiece } from '../shown-bands.ts'
import { pageStyle } from './page-style-data.ts'
import { bucketsOf, type Curve, drawPlot, legend, Markup, markup } from './plot.ts'

export function replayPage(report: ReplayReport, series: ReplaySeries): string {
  const { conversation, model, windowTokens, policy, requests } = report
  const title = conversation.title ?? conversation.id
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Replay: ${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body><main>
<h1>${title}</h1>
<p class="about">${grouped(conversation.messages)} messages, ${grouped(requests)} requests to ${model} in a window of ${grouped(windowTokens)} tokens; policy ${policy.name} (${policy.hash})</p>
${cards(report)}
<h2>The window, request by request</h2>
${windowPlot(report, series)}
<h2>What it costs</h2>
${costTable(report)}
${costPlots(series)}
<h2>Compactions</h2>
${compactionTable(report.compactions.list)}
<h2>The last context</h2>
${finalContext(report)}
</main></body>
</html>
`.html
}

function cards(report: ReplayReport): Markup {
  const { violations, compactions, breaks, tokens, cost, survival, turnMs } = report
  return markup`<div class="cards">
${violations.total === 0 ? card('0', 'violations: every context fits and is accepted', 'good') : card(String(violations.total), countsText(violations.by), 'bad')}
${card(grouped(compactions.total), `compactions${withText(compactions.by)}`)}
${card(grouped(breaks.total), `prefix breaks${withText(breaks.by)}`)}
${card(amountText(tokens.sent), `tokens sent, the largest request ${grouped(tokens.largest)}`)}
${card(cost.throughline.ofSliding.toFixed(2), 'of what a sliding window costs')}
${survival === null ? markup`` : card(survival.shown.toFixed(2), `of names needed next stood there (in a tail ${survival.inTail.toFixed(2)})`)}
${card(duration(turnMs.median), `a turn in the median, p95 ${duration(turnMs.p95)}`)}
</div>`
}

function card(figure: string, says: string, kind = 'plain'): Markup {
  return markup`<div class="card ${kind}"><b>${figure}</b><span>${says}</span></div>`
}

function withText(by: Readonly<Record<string, number>>): string {
  const text = countsText(by)
  return text === '' ? '' : `: ${text}`
}

const rowsMost = 500

function compactionTable(list: readonly CompactionReport[]): Markup {
  if (list.length === 0) return markup`<p>Nothing had to be compacted.</p>`
  const left = list.length - rowsMost
  return markup`<div class="scroll"><table>
<thead><tr><th class="n">request</th><th>why</th><th class="n">tokens before</th><th class="n">after</th><th class="bars">what it left</th><th class="n">below the line</th><th class="n">kept</th><th class="n">shortened</th><th class="n">names</th><th>needed again</th></tr></thead>
<tbody>${list.slice(0, rowsMost).map(row)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more: --json has them all.</p>` : markup``}
<p class="note">Below the line: messages that went there with it. Names: of those needed next, the share that stood in the context. Needed again: what followUp found thirty requests later, of the names that were needed those that stood there.</p>`
}

function row({ request, receipt, names }: CompactionReport): Markup {
  const { cause, tokensBefore, tokensAfter, covered, keeps, stubbed, followUp } = receipt
  const again = followUp === null ? '' : `${followUp.names.shown} of ${followUp.names.needed}`
  const missing = followUp?.names.missing.join(', ') ?? ''
  return markup`<tr><td class="n">${grouped(request)}</td><td>${cause}</td><td class="n">${tokensBefore === null ? '' : grouped(tokensBefore)}</td><td class="n">${grouped(tokensAfter)}</td><td class="bars">${bar(receipt)}</td><td class="n">${grouped(covered.to - covered.from)}</td><td class="n">${grouped(keeps.length)}</td><td class="n">${grouped(stubbed)}</td><td class="n">${names === null ? '' : (names.shown / names.needed).toFixed(2)}</td><td title="${missing === '' ? '' : `missing: ${missing}`}">${again}</td></tr>`
}

function bar({ tokensByKind, tokensAfter, tokensBefore }: CompactionReport['receipt']): Markup {
  const whole = Math.max(tokensAfter, tokensBefore ?? 0, 1)
  const kinds = Object.entries(tokensByKind) as [ShownKind, number][]
  return markup`<div class="bar">${kinds.map(([kind, tokens]) => markup`<i class="${bandOfKind(kind)}" style="width:${((100 * tokens) / whole).toFixed(2)}%" title="${kind}: ${grouped(tokens)}"></i>`)}</div>`
}

function bandOfKind(kind: ShownKind): string {
  if (kind === 'kept' || kind === 'stubs') return 'recent'
  return kind === 'frames' ? 'protected' : bandOf(kind)
}

const piecesMost = 300

function finalContext({ final, availableTokens }: ReplayReport): Markup {
  if (final === null) return markup`<p>There was none.</p>`
  const left = final.pieces.length - piecesMost
  return markup`<div class="bar tall">${final.pieces.map((piece) => markup`<i class="${piece.band}" style="width:${share(piece.tokens, availableTokens)}%" title="${nameOf(piece)}, ${grouped(piece.tokens)} tokens"></i>`)}</div>
<p class="note">${grouped(final.tokens)} of ${grouped(availableTokens)} tokens. ${logText(final.log)}</p>
<details><summary>What stands in it, piece by piece</summary>
<div class="scroll"><table class="pieces"><thead><tr><th>piece</th><th>role</th><th class="n">tokens</th><th>begins</th></tr></thead>
<tbody>${final.pieces.slice(0, piecesMost).map((piece) => markup`<tr><td><i class="swatch ${piece.band}"></i>${nameOf(piece)}</td><td>${piece.role ?? ''}</td><td class="n">${grouped(piece.tokens)}</td><td class="begins">${piece.begins}</td></tr>`)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more.</p>` : markup``}</details>`
}

function logText({ head, line, kept }: LogBands): string {
  if (line === 0) return `All ${grouped(head)} messages are shown.`
  return `Of ${grouped(head)} messages, those before #${line} are told and ${grouped(kept.length)} of them kept; the others are shown.`
}

function nameOf({ seq, slot }: ShownPiece): string {
  return seq === null ? slot : `#${seq}`
}

function share(tokens: number, of: number): string {
  return ((100 * tokens) / Math.max(1, of)).toFixed(3)
}

// Single requests vary from nearly nothing to the whole window: only means can be compared.
const meansMost = 50
const kindOf = (method: CostMethod) => `method-${method}`

function costPlots({ costs }: ReplaySeries): Markup {
  const count = costs.throughline.length
  const plot = (label: string, valuesOf: (costs: readonly number[]) => readonly number[]) => {
    const curves = costMethods.map((method) => ({
      name: method,
      kind: kindOf(method),
      values: valuesOf(costs[method]),
    }))
    return markup`${drawPlot({ label, curves, count })}
${legend(curves)}`
  }
  const means = (values: readonly number[]) =>
    bucketsOf(count, meansMost).map(([from, to]) => sumOf(values.slice(from, to)) / (to - from))
  const sums = (values: readonly number[]) => {
    let sum = 0
    return bucketsOf(count).map(([from, to]) => {
      sum += sumOf(values.slice(from, to))
      return sum
    })
  }
  return markup`<h3>All requests so far</h3>
${plot('Tokens billed so far', sums)}
<h3>A request, on average as it went</h3>
${plot('Tokens billed for each request', means)}`
}

function costTable({ cost }: ReplayReport): Markup {
  return markup`<div class="scroll"><table>
<thead><tr><th>way</th><th class="n">tokens</th><th class="n">of sliding</th><th class="n">of forgetting</th><th class="n">writes, gaps</th><th>note</th></tr></thead>
<tbody>${costMethods.map((method) => costRow(method, cost))}</tbody></table></div>
<p class="note">In tokens of fresh input: what a request begins with like the one before costs a tenth, what is written for a summary four times. Full: everything, always. Sliding: the oldest message leaves at 0.9 of the window. Forgetting: at 0.9 down to 0.45, and nothing stands for what is gone. Model-summary: at 0.8 a model tells all but six messages. Writes, gaps: of sliding, with cache writes at 1.25 and a cache that is empty after five minutes.</p>`
}

function costRow(method: CostMethod, cost: ReplayReport['cost']): Markup {
  const cells = costCells(cost[method]).map((cell) => markup`<td class="n">${cell}</td>`)
  return markup`<tr class="${method === 'throughline' ? 'ours' : 'other'}"><td><i class="swatch ${kindOf(method)}"></i>${method}</td>${cells}<td>${noteOn(method, cost[method])}</td></tr>`
}

function noteOn(method: CostMethod, { fits, largestRequest, summaries }: CostReport): string {
  if (method === 'full' && !fits)
    return `its largest request has ${amountText(largestRequest)} tokens: it does not fit`
  return summaries > 0 ? `${summaries} summaries` : ''
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function windowPlot(report: ReplayReport, series: ReplaySeries): Markup {
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
    count,
  })}
${legend(windowBands.map((band) => ({ name: band, kind: band })))}
<p class="note">Dashed: full at ${grouped(report.availableTokens)} tokens, compacted above ${grouped(series.triggerTokens)}, down to about ${grouped(series.targetTokens)}. Ticks at the top: compactions.</p>`
}

/** The fullest request of each range, so that none over the limit is hidden. */
function fullest({ bands }: ReplaySeries, count: number): readonly number[] {
  const totals = bands.recent.map((_, index) =>
    sumOf(windowBands.map((band) => bands[band][index] ?? 0)),
  )
  return bucketsOf(count).map(([from, to]) => {
    const run = totals.slice(from, to)
    return from + run.indexOf(Math.max(...run))
  })
}

function stacked({ bands }: ReplaySeries, indexes: readonly number[]): readonly Curve[] {
  let below: readonly number[] = indexes.map(() => 0)
  return windowBands.map((band) => {
    const above = below
    below = above.map((sum, point) => sum + (bands[band][indexes[point] ?? 0] ?? 0))
    return { name: band, kind: band, values: below, above }
  })
}
