/** The report of a replay as one HTML page; its security policy forbids scripts and resources. */
import type { ShownKind } from '../../../index.ts'
import { breakText, causeText, kindName } from '../../screen/context-lines.ts'
import { amountText, countsText, duration, grouped, percent } from '../../screen/numbers.ts'
import { type CostMethod, costMethods } from '../../simulation/cost-session.ts'
import { windowBands } from '../bands-data.ts'
import { methodsNote, unitNote } from '../cost-table-data.ts'
import type { CompactionReport, CostReport, ReplayReport, ReplaySeries } from '../replay-report.ts'
import { causesText, compactionCausesText, costCells } from '../report-lines.ts'
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
<p class="about">${grouped(conversation.messages)} messages, ${grouped(requests)} simulated requests (nothing is sent) for ${model} in a window of ${grouped(windowTokens)} tokens; policy ${policy.name} (policy hash ${policy.hash})</p>
${cards(report)}
<h2>The window, request by request</h2>
${windowPlot(report, series)}
<h2>What it costs</h2>
${costTable(report)}
${costPlot(series)}
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
${violations.total === 0 ? card('0', 'invalid requests: every context fits and is valid', 'good') : card(String(violations.total), countsText(violations.by), 'bad')}
${card(grouped(compactions.total), `compactions${because(compactionCausesText(compactions.list))}`)}
${card(grouped(breaks.total), `times the cache prefix was lost${because(causesText(breaks.by, breakText))}`)}
${card(amountText(tokens.sent), `tokens in all requests, largest request ${grouped(tokens.largest)}`)}
${card(cost.throughline.ofSliding.toFixed(2), 'of the cost of a sliding window')}
${survival === null ? markup`` : card(percent(survival.shown), `of the names used after a compaction were in the context (baseline, newest messages only: ${percent(survival.inTail)})`)}
${card(duration(turnMs.median), `median time per turn, p95 ${duration(turnMs.p95)}`)}
</div>`
}

function card(figure: string, says: string, kind = 'plain'): Markup {
  return markup`<div class="card ${kind}"><b>${figure}</b><span>${says}</span></div>`
}

/** After a colon; empty for no cause. */
function because(causes: string): string {
  return causes === '' ? '' : `: ${causes}`
}

const rowsMost = 500

function compactionTable(list: readonly CompactionReport[]): Markup {
  if (list.length === 0) return markup`<p>No compactions: all messages fit.</p>`
  const left = list.length - rowsMost
  return markup`<div class="scroll"><table>
<thead><tr><th class="n">request</th><th>cause</th><th class="n">tokens before</th><th class="n">after</th><th class="bars">context after</th><th class="n">summarized</th><th class="n">kept</th><th class="n">shortened</th><th class="n">needed names present</th><th>follow-up</th></tr></thead>
<tbody>${list.slice(0, rowsMost).map(row)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more; --json has all.</p>` : markup``}
<p class="note">Summarized: messages that this compaction summarized. Needed names present: share of the names used after the compaction that were in the context. Follow-up after 30 requests: how many of the names used in later messages were in the context.</p>`
}

function row({ request, receipt, names }: CompactionReport): Markup {
  const { cause, tokensBefore, tokensAfter, covered, keeps, stubbed, followUp } = receipt
  const later = followUp === null ? '' : `${followUp.names.shown} of ${followUp.names.needed}`
  const missing = followUp?.names.missing.join(', ') ?? ''
  return markup`<tr><td class="n">${grouped(request)}</td><td>${causeText(cause, receipt)}</td><td class="n">${tokensBefore === null ? '' : grouped(tokensBefore)}</td><td class="n">${grouped(tokensAfter)}</td><td class="bars">${bar(receipt)}</td><td class="n">${grouped(covered.to - covered.from)}</td><td class="n">${grouped(keeps.length)}</td><td class="n">${grouped(stubbed)}</td><td class="n">${names === null ? '' : (names.shown / names.needed).toFixed(2)}</td><td title="${missing === '' ? '' : `missing: ${missing}`}">${later}</td></tr>`
}

function bar({ tokensByKind, tokensAfter, tokensBefore }: CompactionReport['receipt']): Markup {
  const whole = Math.max(tokensAfter, tokensBefore ?? 0, 1)
  const kinds = Object.entries(tokensByKind) as [ShownKind, number][]
  return markup`<div class="bar">${kinds.map(([kind, tokens]) => markup`<i class="${bandOfKind(kind)}" style="width:${((100 * tokens) / whole).toFixed(2)}%" title="${kindName(kind)}: ${grouped(tokens)}"></i>`)}</div>`
}

function bandOfKind(kind: ShownKind): string {
  if (kind === 'kept' || kind === 'stubs') return 'recent'
  return kind === 'frames' ? 'protected' : bandOf(kind)
}

const piecesMost = 300

function finalContext({ final, availableTokens }: ReplayReport): Markup {
  if (final === null) return markup`<p>No request was built.</p>`
  const left = final.pieces.length - piecesMost
  return markup`<div class="bar tall">${final.pieces.map((piece) => markup`<i class="${piece.band}" style="width:${share(piece.tokens, availableTokens)}%" title="${nameOf(piece)}, ${grouped(piece.tokens)} tokens"></i>`)}</div>
<p class="note">${grouped(final.tokens)} of ${grouped(availableTokens)} tokens. ${logText(final.log)}</p>
<details><summary>Its content, piece by piece</summary>
<div class="scroll"><table class="pieces"><thead><tr><th>piece</th><th>role</th><th class="n">tokens</th><th>first characters</th></tr></thead>
<tbody>${final.pieces.slice(0, piecesMost).map((piece) => markup`<tr><td><i class="swatch ${piece.band}"></i>${nameOf(piece)}</td><td>${piece.role ?? ''}</td><td class="n">${grouped(piece.tokens)}</td><td class="begins">${piece.begins}</td></tr>`)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more.</p>` : markup``}</details>`
}

function logText({ head, line, kept }: LogBands): string {
  if (line === 0) return `All ${grouped(head)} messages are sent.`
  return `Of ${grouped(head)} messages, #0–#${line - 1} are replaced, except ${grouped(kept.length)} that are still sent; the others are sent.`
}

function nameOf({ seq, slot }: ShownPiece): string {
  return seq === null ? slot : `#${seq}`
}

function share(tokens: number, of: number): string {
  return ((100 * tokens) / Math.max(1, of)).toFixed(3)
}

const kindOf = (method: CostMethod) => `method-${method}`

function costPlot({ costs }: ReplaySeries): Markup {
  const count = costs.throughline.length
  const sums = (values: readonly number[]) => {
    let sum = 0
    return bucketsOf(count).map(([from, to]) => {
      sum += sumOf(values.slice(from, to))
      return sum
    })
  }
  const curves = costMethods.map((name) => ({
    name,
    kind: kindOf(name),
    values: sums(costs[name]),
  }))
  return markup`<h3>Total cost so far</h3>
${drawPlot({ label: 'Cost so far', curves, count })}
${legend(curves)}`
}

function costTable({ cost }: ReplayReport): Markup {
  return markup`<div class="scroll"><table>
<thead><tr><th>method</th><th class="n">cost</th><th class="n">vs sliding</th><th class="n">vs forgetting</th><th class="n">vs sliding, paid cache</th><th>note</th></tr></thead>
<tbody>${costMethods.map((method) => costRow(method, cost))}</tbody></table></div>
<p class="note">${methodsNote}</p>
<p class="note">${unitNote}</p>`
}

function costRow(method: CostMethod, cost: ReplayReport['cost']): Markup {
  const cells = costCells(cost[method]).map((cell) => markup`<td class="n">${cell}</td>`)
  return markup`<tr class="${method === 'throughline' ? 'ours' : 'other'}"><td><i class="swatch ${kindOf(method)}"></i>${method}</td>${cells}<td>${noteOn(method, cost[method])}</td></tr>`
}

function noteOn(method: CostMethod, { fits, largestRequest, summaries }: CostReport): string {
  if (method === 'full' && !fits)
    return `does not fit: its largest request has ${amountText(largestRequest)} tokens`
  return summaries > 0 ? `${summaries} summaries` : ''
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function windowPlot(report: ReplayReport, series: ReplaySeries): Markup {
  const count = series.bands.recent.length
  const levels = [
    { name: 'full', value: report.availableTokens },
    { name: 'trigger', value: series.triggerTokens },
    { name: 'target', value: series.targetTokens },
  ]
  return markup`${drawPlot({
    label: 'Tokens of each request, by section',
    curves: stackCurves(series, largestRequests(series, count)),
    levels,
    marks: series.compactions.map((index) => index / Math.max(1, count - 1)),
    count,
  })}
${legend(windowBands.map((band) => ({ name: band, kind: band })))}
<p class="note">Dashed lines: full at ${grouped(report.availableTokens)} tokens, trigger at ${grouped(series.triggerTokens)}, target ${grouped(series.targetTokens)}. Ticks at the top: compactions.</p>`
}

/** The largest request of each range, so that none over the limit is hidden. */
function largestRequests({ bands }: ReplaySeries, count: number): readonly number[] {
  const totals = bands.recent.map((_, index) =>
    sumOf(windowBands.map((band) => bands[band][index] ?? 0)),
  )
  return bucketsOf(count).map(([from, to]) => {
    const run = totals.slice(from, to)
    return from + run.indexOf(Math.max(...run))
  })
}

function stackCurves({ bands }: ReplaySeries, indexes: readonly number[]): readonly Curve[] {
  let below: readonly number[] = indexes.map(() => 0)
  return windowBands.map((band) => {
    const above = below
    below = above.map((sum, point) => sum + (bands[band][indexes[point] ?? 0] ?? 0))
    return { name: band, kind: band, values: below, above }
  })
}
