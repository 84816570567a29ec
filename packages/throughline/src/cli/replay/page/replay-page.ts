/**
 * The report of a replay as one page: no script, nothing that is loaded from anywhere, and a
 * policy that forbids both. It can be sent to somebody as it is.
 */
import { amountText, countsText, duration } from '../../screen/numbers.ts'
import type { ReplayReport, ReplaySeries } from '../replay-report.ts'
import { compactionTable } from './compaction-table.ts'
import { costPlots, costTable } from './cost-plots.ts'
import { finalContext } from './final-context.ts'
import { pageStyle } from './page-style.ts'
import { Markup, markup } from './plot.ts'
import { windowPlot } from './window-plot.ts'

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
<p class="about">${number(conversation.messages)} messages, ${number(requests)} requests to ${model} in a window of ${number(windowTokens)} tokens; policy ${policy.name} (${policy.hash})</p>
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
${card(number(compactions.total), `compactions${withText(compactions.by)}`)}
${card(number(breaks.total), `prefix breaks${withText(breaks.by)}`)}
${card(amountText(tokens.sent), `tokens sent, the largest request ${number(tokens.largest)}`)}
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

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
