/** Draws the live picture of a replay in 80 columns and 24 lines. */

import type { Context } from '../../index.ts'
import { cutTo, padEnd, padStart, widthOf } from '../screen/cells.ts'
import { meter } from '../screen/labelled.ts'
import { amountText, counted, countsText, duration, grouped, percent } from '../screen/numbers.ts'
import { paceTexts } from '../screen/progress.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { costMethods } from '../simulation/cost-session.ts'
import { median } from '../simulation/statistics.ts'
import type { Output } from '../world.ts'
import { bandSigns, windowBands } from './bands-data.ts'
import { type CompactionReport, countsOf, type ReplayTally } from './replay-report.ts'
import type { LogBands, WindowBands } from './shown-bands.ts'

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

type LogBand = 'summarized' | 'kept' | 'stub' | 'whole'

function drawCells(band: keyof typeof bandSigns, cells: number, output: Output): string {
  const [unicode, ascii, paint] = bandSigns[band]
  return styleOf(output)[paint]((output.unicode ? unicode : ascii).repeat(cells))
}

function windowMeter(
  { tokens, budget }: Pick<Context, 'tokens' | 'budget'>,
  bands: WindowBands,
  cells: number,
  output: Output,
): readonly string[] {
  const { dim } = styleOf(output)
  const { windowTokens, availableTokens, triggerTokens, targetTokens } = budget
  const free = Math.max(0, availableTokens - tokens)
  const amounts = { ...bands, free, reserve: windowTokens - availableTokens }
  const names = [...windowBands, 'free', 'reserve'] as const
  const shares = names.map((name) => amounts[name])
  const lengths = bandLengths(shares, cells)
  const bar = names.map((name, index) => drawCells(name, lengths[index] ?? 0, output)).join('')
  const marked = [
    [targetTokens / windowTokens, 'target'],
    [triggerTokens / windowTokens, 'trigger'],
    [availableTokens / windowTokens, 'full'],
  ] as const
  return [
    `${bar}${dim(output.unicode ? '▏' : '|')}`,
    dim(marks(marked, cells, output)),
    windowBands
      .map((band) => `${drawCells(band, 1, output)} ${band} ${amountText(bands[band])}`)
      .join('  '),
  ]
}

/** Names below their positions; those that would overlap are left out. */
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

/** Every band has a cell where there is room. */
export function bandLengths(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0)
  if (whole === 0) return amounts.map(() => 0)
  const least = cells >= amounts.length ? 1 : 0
  const bands = amounts.map((amount) => ({
    amount,
    length: Math.max(Math.floor((amount / whole) * cells), amount > 0 ? least : 0),
  }))
  let left = cells - bands.reduce((sum, { length }) => sum + length, 0)
  const change = Math.sign(left)
  // The largest bands absorb the rounding.
  const largestFirst = bands.toSorted((a, b) => b.amount - a.amount)
  for (let turn = 0; left !== 0 && turn < cells * bands.length; turn += 1) {
    const band = largestFirst[turn % bands.length]
    if (band === undefined || band.amount === 0 || band.length + change < 1) continue
    band.length += change
    left -= change
  }
  return bands.map(({ length }) => length)
}

export function logBar(bands: LogBands, cells: number, output: Output): string {
  const runs: { band: LogBand; length: number }[] = []
  for (const band of logCells(bands, cells)) {
    const last = runs.at(-1)
    if (last?.band === band) last.length += 1
    else runs.push({ band, length: 1 })
  }
  return runs.map(({ band, length }) => drawCells(band, length, output)).join('')
}

function logLegend({ head, line, kept, stubbed }: LogBands, output: Output): string {
  const shortened = stubbed.reduce((sum, { from, to }) => sum + to - from, 0)
  const counts = [
    ['summarized', 'summarized', line - kept.length],
    ['kept', 'kept', kept.length],
    ['stub', 'shortened', shortened],
    ['whole', 'whole', head - line - shortened],
  ] as const
  return counts
    .map(([band, word, count]) => `${drawCells(band, 1, output)} ${word} ${grouped(count)}`)
    .join('  ')
}

/** A cell may be many messages. */
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
    // One kept message among many is worth showing.
    if (cell <= lineCell) return keeps.has(cell) ? 'kept' : 'summarized'
    return count * 2 > head / cells ? 'stub' : 'whole'
  })
}
