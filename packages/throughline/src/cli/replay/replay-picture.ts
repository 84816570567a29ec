/**
 * What people watch while a replay runs: where it is, the window as a meter, the log as a band,
 * the newest compactions, and figures so far. It fits 80 columns and 24 lines.
 */

import { cutTo, padEnd, padStart, widthOf } from '../screen/cells.ts'
import { meter } from '../screen/labelled.ts'
import { amountText, counted, countsText, duration, grouped, percent } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { costMethods } from '../simulation/cost-session.ts'
import { median } from '../simulation/statistics.ts'
import type { Output } from '../world.ts'
import type { CompactionReport } from './replay-report.ts'
import type { AskedStep } from './replay-steps.ts'
import { countsOf, type ReplayTally } from './replay-tally.ts'
import { type LogBand, logBar, logSign, windowMeter } from './window-meter.ts'

export function replayPicture(
  tally: ReplayTally,
  elapsedMs: number,
  output: Output,
): readonly string[] {
  const { last } = tally
  return [
    titleLine(tally, output),
    progressLine(tally, elapsedMs, output),
    ...(last === null ? [] : ['', ...windowLines(last, output), '', ...logLines(last, output)]),
    '',
    ...compactionLines(tally, output),
    '',
    ...figureLines(tally, output),
  ]
}

const labelColumn = 8

function titleLine({ about }: ReplayTally, output: Output): string {
  const { bold, dim, dot, more } = styleOf(output)
  const { conversation, windowTokens, policy } = about
  const right = `${grouped(windowTokens)} tokens ${dot} ${safeLine(policy.name)}`
  const name = safeLine(conversation.title ?? conversation.id)
  const room = output.width - widthOf(right) - 9
  const left = cutTo(name, Math.max(8, room), more)
  return `${bold('replay')} ${padEnd(left, Math.max(8, room))} ${dim(right)}`
}

function progressLine({ requests, about }: ReplayTally, elapsedMs: number, output: Output): string {
  const { dot } = styleOf(output)
  const { total } = about
  const perMs = elapsedMs > 500 ? requests / elapsedMs : 0
  const pace =
    perMs === 0
      ? []
      : [`${grouped(perMs * 1_000)}/s`, `${duration((total - requests) / perMs)} left`]
  const texts = [`${grouped(requests)} of ${counted(total, 'request')}`, ...pace]
  const plain = { colours: false, unicode: output.unicode }
  return `${meter(total === 0 ? 1 : requests / total, 24, plain)} ${texts.join(` ${dot} `)}`
}

function windowLines(last: AskedStep, output: Output): readonly string[] {
  const { dim } = styleOf(output)
  const [bar = '', marks = '', legend = ''] = windowMeter(
    last,
    output.width - labelColumn - 2,
    output,
  )
  const full = `${grouped(last.tokens)} of ${grouped(last.budget.availableTokens)}`
  const indent = ' '.repeat(labelColumn)
  return [
    `${dim(padEnd('window', labelColumn))}${full} available tokens (${percent(last.tokens / last.budget.availableTokens)})`,
    `${indent}${bar}`,
    `${indent}${marks}`,
    `${indent}${legend}`,
  ]
}

const logWords: Readonly<Record<LogBand, string>> = {
  told: 'told',
  kept: 'kept',
  stub: 'shortened',
  whole: 'whole',
}

function logLines({ log }: AskedStep, output: Output): readonly string[] {
  const { dim } = styleOf(output)
  const stubbed = log.stubbed.reduce((sum, { from, to }) => sum + to - from, 0)
  const counts: Readonly<Record<LogBand, number>> = {
    told: log.line - log.kept.length,
    kept: log.kept.length,
    stub: stubbed,
    whole: log.head - log.line - stubbed,
  }
  const legend = Object.entries(counts).map(([band, count]) => {
    const { sign, paint } = logSign(band as LogBand, output)
    return `${paint(sign)} ${logWords[band as LogBand]} ${grouped(count)}`
  })
  return [
    `${dim(padEnd('log', labelColumn))}${logBar(log, output.width - labelColumn - 2, output)}`,
    `${' '.repeat(labelColumn)}${legend.join('  ')}${dim(`  line at #${log.line}`)}`,
  ]
}

const compactionsShown = 5

function compactionLines(tally: ReplayTally, output: Output): readonly string[] {
  const { bold, dim } = styleOf(output)
  const { total, by } = countsOf(tally.causes)
  const shown = tally.compactions.slice(-compactionsShown).toReversed()
  const lines = shown.map((compaction) => compactionLine(compaction, output))
  return [
    `${bold(counted(total, 'compaction'))}${total === 0 ? '' : dim(`  ${countsText(by)}`)}`,
    // The same height from the beginning: nothing below it jumps.
    ...Array.from({ length: compactionsShown }, (_, index) => lines[index] ?? ''),
  ]
}

function compactionLine({ place, receipt, names }: CompactionReport, output: Output): string {
  const { dim, arrow } = styleOf(output)
  const { cause, tokensBefore, tokensAfter, covered, keeps, stubbed } = receipt
  const before = tokensBefore === null ? '?' : grouped(tokensBefore)
  const cells = [
    padEnd(`  #${place}`, 9),
    padEnd(cause, 9),
    `${padStart(before, 8)} ${arrow} ${padStart(grouped(tokensAfter), 7)}`,
    dim(
      `${grouped(covered.to - covered.from)} below, ${grouped(keeps.length)} kept, ${grouped(stubbed)} short`,
    ),
    ...(names === null ? [] : [`names ${(names.shown / names.needed).toFixed(2)}`]),
  ]
  return cells.join('  ')
}

function figureLines(tally: ReplayTally, output: Output): readonly string[] {
  const { bold, dim, green, red, dot } = styleOf(output)
  const violations = countsOf(tally.violations).total
  const breaks = countsOf(tally.breaks).total
  const { throughline } = tally.bills
  const figures = [
    (violations === 0 ? green : red)(counted(violations, 'violation')),
    counted(breaks, 'prefix break'),
    `${amountText(throughline.sentTokens)} tokens sent`,
    `${duration(median(tally.turnMs.slice(-turnsLookedAt)))} a turn`,
  ]
  const cost = tally.cost()
  const titles = costMethods.map((method) => padStart(method, method.length))
  const shares = costMethods.map((method) =>
    padStart(cost[method].ofSliding.toFixed(2), method.length),
  )
  return [
    figures.join(` ${dot} `),
    dim(`${padEnd('cost', labelColumn)}${titles.join('  ')}`),
    `${padEnd('', labelColumn)}${shares.slice(0, -1).join('  ')}  ${bold(shares.at(-1) ?? '')}`,
  ]
}

const turnsLookedAt = 200
