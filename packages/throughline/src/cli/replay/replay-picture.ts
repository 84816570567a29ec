/** Draws the live picture of a replay in 80 columns and 24 lines. */
import { cutTo, padEnd, padStart, widthOf } from '../screen/cells.ts'
import { meter } from '../screen/labelled.ts'
import { amountText, counted, countsText, duration, grouped, percent } from '../screen/numbers.ts'
import { paceTexts } from '../screen/progress.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { costMethods } from '../simulation/cost-session.ts'
import { median } from '../simulation/statistics.ts'
import type { Output } from '../world.ts'
import { type CompactionReport, countsOf, type ReplayTally } from './replay-report.ts'
import { logBar, logLegend, windowMeter } from './window-meter.ts'

export function replayPicture(tally: ReplayTally, elapsedMs: number, output: Output) {
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
type Last = NonNullable<ReplayTally['last']>

function titleLine({ about }: ReplayTally, output: Output): string {
  const { bold, dim, dot, more } = styleOf(output)
  const { conversation, windowTokens, policy } = about
  const right = `${grouped(windowTokens)} tokens ${dot} ${safeLine(policy.name)}`
  const name = safeLine(conversation.title ?? conversation.id)
  const room = output.width - widthOf(right) - 9
  const left = cutTo(name, Math.max(8, room), more)
  return `${bold('replay')} ${padEnd(left, Math.max(8, room))} ${dim(right)}`
}

function progressLine({ requests, total }: ReplayTally, elapsedMs: number, output: Output): string {
  const { dot } = styleOf(output)
  const pace = paceTexts(requests, total, elapsedMs, grouped)
  const texts = [`${grouped(requests)} of ${counted(total, 'request')}`, ...pace]
  const plain = { colours: false, unicode: output.unicode }
  return `${meter(total === 0 ? 1 : requests / total, 24, plain)} ${texts.join(` ${dot} `)}`
}

const indent = ' '.repeat(labelColumn)

function windowLines({ context, bands }: Last, output: Output): readonly string[] {
  const { dim, minus } = styleOf(output)
  const limit = `window ${minus} reply reserve ${minus} margin`
  const { tokens, budget } = context
  const { availableTokens } = budget
  const lines = windowMeter(context, bands, output.width - labelColumn - 2, output)
  return [
    `${dim(padEnd('window', labelColumn))}${grouped(tokens)} tokens (${percent(tokens / availableTokens)}) of ${grouped(availableTokens)} = ${limit}`,
    ...lines.map((line) => `${indent}${line}`),
  ]
}

function logLines({ log }: Last, output: Output): readonly string[] {
  const { dim } = styleOf(output)
  return [
    `${dim(padEnd('log', labelColumn))}${logBar(log, output.width - labelColumn - 2, output)}`,
    `${indent}${logLegend(log, output)}`,
  ]
}

const compactionsShown = 5
const namesColumn = 58

function compactionLines(tally: ReplayTally, output: Output): readonly string[] {
  const { bold, dim } = styleOf(output)
  const { total, by } = countsOf(tally.causes)
  const shown = tally.compactions.slice(-compactionsShown).toReversed()
  const lines = shown.map((compaction) => compactionLine(compaction, output))
  const causes = total === 0 ? '' : `  ${countsText(by).replace('overflow', 'limit')}`
  const title = padEnd(`${bold(counted(total, 'compaction'))}${dim(causes)}`, namesColumn - 1)
  const hasNames = shown.some(({ names }) => names !== null)
  return [
    `${title}${hasNames ? dim(' needed names present') : ''}`.trimEnd(),
    // The same height from the start, so that nothing below moves.
    ...Array.from({ length: compactionsShown }, (_, index) => lines[index] ?? ''),
  ]
}

function compactionLine({ place, receipt, names }: CompactionReport, output: Output): string {
  const { dim, arrow } = styleOf(output)
  const { cause, tokensBefore, tokensAfter, covered, keeps, stubbed } = receipt
  const before = tokensBefore === null ? '?' : grouped(tokensBefore)
  const counts = [`${grouped(covered.to - covered.from)} summarized`]
  // A line of 80 columns has no room for zeros.
  if (keeps.length > 0) counts.push(`${grouped(keeps.length)} kept`)
  if (stubbed > 0) counts.push(`${grouped(stubbed)} short`)
  const cells = [
    padEnd(`  #${place}`, 9),
    padEnd(cause === 'overflow' ? 'limit' : cause, 9),
    `${padStart(before, 8)} ${arrow} ${padStart(grouped(tokensAfter), 7)}`,
    dim(counts.join(', ')),
  ]
  const present = names === null ? '' : `  ${percent(names.shown / names.needed)}`
  return `${padEnd(cells.join('  '), namesColumn + 6)}${present}`.trimEnd()
}

function figureLines(tally: ReplayTally, output: Output): readonly string[] {
  const { bold, dim, green, red, dot } = styleOf(output)
  const violations = countsOf(tally.violations).total
  const breaks = countsOf(tally.breaks).total
  const { throughline } = tally.bills
  const figures = [
    (violations === 0 ? green : red)(counted(violations, 'invalid request')),
    `cache prefix lost ${counted(breaks, 'time')}`,
    `${amountText(throughline.sentTokens)} tokens`,
    `${duration(median(tally.turnMs.slice(-turnsLookedAt)))} a turn`,
  ]
  const cost = tally.cost()
  const shares = costMethods.map((method) =>
    padStart(cost[method].ofSliding.toFixed(2), method.length),
  )
  return [
    figures.join(` ${dot} `),
    dim(`${padEnd('cost', labelColumn)}${costMethods.join('  ')}`),
    `${padEnd('', labelColumn)}${shares.slice(0, -1).join('  ')}  ${bold(shares.at(-1) ?? '')}`,
  ]
}

const turnsLookedAt = 200
