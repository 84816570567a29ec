/**
 * The report of a replay as one page: no script, nothing that is loaded from anywhere, and a
 * policy that forbids both. It can be sent to somebody as it is.
 */

import type { ShownKind } from '../../../index.ts'
import { amountText, countsText, duration, grouped } from '../../screen/numbers.ts'
import type {
  CompactionReport,
  FinalContext,
  ReplayReport,
  ReplaySeries,
} from '../replay-report.ts'
import { bandOf, type ShownPiece } from '../shown-bands.ts'
import { costPlots, costTable, windowPlot } from './cost-plots.ts'
import { pageStyle } from './page-style.ts'
import { Markup, markup } from './plot.ts'

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
${card(String(violations.total), violations.total === 0 ? 'violations: every context fits and is accepted' : countsText(violations.by), violations.total === 0 ? 'good' : 'bad')}
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

/** The compactions with their receipts: what each covered, kept and shortened, and what it left. */
const rowsMost = 500

export function compactionTable(list: readonly CompactionReport[]): Markup {
  if (list.length === 0) return markup`<p>Nothing had to be compacted.</p>`
  const left = list.length - rowsMost
  return markup`<div class="scroll"><table>
<thead><tr><th class="n">request</th><th>why</th><th class="n">tokens before</th><th class="n">after</th><th class="bars">what it left</th><th class="n">below the line</th><th class="n">kept</th><th class="n">shortened</th><th class="n">names</th><th>needed again</th></tr></thead>
<tbody>${list.slice(0, rowsMost).map(row)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more: --json has them all.</p>` : markup``}
<p class="note">Below the line: messages that went there with it. Names: of those needed next, the share that stood in the context. Needed again: what hindsight found thirty requests later, of the names that were needed those that stood there.</p>`
}

function row({ request, receipt, names }: CompactionReport): Markup {
  const { cause, tokensBefore, tokensAfter, covered, keeps, stubbed, hindsight } = receipt
  const again = hindsight === null ? '' : `${hindsight.names.shown} of ${hindsight.names.needed}`
  const missing = hindsight?.names.missing.join(', ') ?? ''
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

/** The last context, as bands and piece by piece: what the model would have seen in the end. */
const piecesMost = 300

export function finalContext({ final, availableTokens }: ReplayReport): Markup {
  if (final === null) return markup`<p>There was none.</p>`
  const left = final.pieces.length - piecesMost
  return markup`<div class="bar tall">${final.pieces.map((piece) => markup`<i class="${piece.band}" style="width:${share(piece.tokens, availableTokens)}%" title="${nameOf(piece)}, ${grouped(piece.tokens)} tokens"></i>`)}</div>
<p class="note">${grouped(final.tokens)} of ${grouped(availableTokens)} tokens. ${logText(final)}</p>
<details><summary>What stands in it, piece by piece</summary>
<div class="scroll"><table class="pieces"><thead><tr><th>piece</th><th>role</th><th class="n">tokens</th><th>begins</th></tr></thead>
<tbody>${final.pieces.slice(0, piecesMost).map((piece) => markup`<tr><td><i class="swatch ${piece.band}"></i>${nameOf(piece)}</td><td>${piece.role ?? ''}</td><td class="n">${grouped(piece.tokens)}</td><td class="begins">${piece.begins}</td></tr>`)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more.</p>` : markup``}</details>`
}

function logText({ log }: FinalContext): string {
  if (log.line === 0) return `All ${grouped(log.head)} messages are shown.`
  return `Of ${grouped(log.head)} messages, those before #${log.line} are told and ${grouped(log.kept.length)} of them kept; the others are shown.`
}

function nameOf({ seq, slot }: ShownPiece): string {
  return seq === null ? slot : `#${seq}`
}

function share(tokens: number, of: number): string {
  return ((100 * tokens) / Math.max(1, of)).toFixed(3)
}
