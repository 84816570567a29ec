/** Renders the report of a replay for people. */
import { cutTo, wrap } from '../screen/cells.ts'
import { breakText, causeText } from '../screen/context-lines.ts'
import { type LabelledRow, labelled } from '../screen/labelled.ts'
import { amountText, counted, duration, grouped, percent } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { drawTable } from '../screen/table.ts'
import { costMethods } from '../simulation/cost-session.ts'
import { countOne } from '../simulation/statistics.ts'
import { leastNeeded } from '../simulation/survival-along.ts'
import type { Output } from '../world.ts'
import { costColumns, equalNote, methodsNote, unitNote } from './cost-table-data.ts'
import type { CompactionReport, CostReport, Counts, ReplayReport } from './replay-report.ts'

export function reportLines(report: ReplayReport, output: Output): readonly string[] {
  const { bold } = styleOf(output)
  const { conversation, model, windowTokens, policy, requests } = report
  const name = safeLine(conversation.title ?? conversation.id)
  const longest = `The longest of ${conversation.others + 1} conversations; add a name after the file for another.`
  return [
    bold(cutTo(name, output.width, styleOf(output).more)),
    ...wrap(
      `${messagesText(conversation)}, ${counted(requests, 'simulated request')} (nothing is sent) for ${model} in a window of ${grouped(windowTokens)} tokens, policy ${safeLine(policy.name)} (policy hash ${policy.hash})`,
      output.width,
    ),
    ...(conversation.others === 0 ? [] : wrap(longest, output.width)),
    '',
    ...labelled(figureRows(report, output), output),
    ...(report.tokens.sent === 0 ? [] : ['', ...costLines(report, output)]),
  ]
}

/** The same number as an import reports. */
function messagesText({ messages, prompts }: ReplayReport['conversation']): string {
  const all = counted(messages + prompts, 'message')
  return prompts === 0 ? all : `${all} (${grouped(prompts)} of them the system prompt)`
}

function figureRows(report: ReplayReport, output: Output): readonly LabelledRow[] {
  const { breaks, tokens, turnMs, impossible } = report
  const { minus } = styleOf(output)
  const limit = `window ${minus} reply reserve ${minus} margin`
  const exceeding = `${counted(impossible, 'request')} with a prompt that alone exceeds the window`
  const lost = `${counted(breaks.total, 'time')}: ${causesText(breaks.by, breakText)}`
  const sizes = `${amountText(tokens.sent)} in all requests; ${percent(tokens.averageShare)} full on average; the largest request has ${grouped(tokens.largest)} of at most ${grouped(report.availableTokens)} (${limit})`
  const time = `median ${duration(turnMs.median)}, p95 ${duration(turnMs.p95)}, including the write to disk`
  return [
    ['invalid requests', violationsText(report)],
    ['impossible', impossible === 0 ? null : exceeding],
    ['compactions', compactionsText(report)],
    ['cache prefix lost', breaks.total === 0 ? 'never' : lost],
    ['tokens', sizes],
    ['names', survivalText(report)],
    ['time per turn', time],
  ]
}

/** `3, at 4,100 to 4,422 tokens; why: above the trigger` */
function compactionsText(report: ReplayReport): string {
  const { total, list } = report.compactions
  if (total === 0) return neverText(report)
  const sizes = list.flatMap(({ receipt }) => receipt.tokensBefore ?? [])
  const range = [...new Set([Math.min(...sizes), Math.max(...sizes)])].map(grouped).join(' to ')
  const count = `${grouped(total)}${sizes.length === 0 ? '' : `, at ${range} tokens`}`
  return `${count}; why: ${compactionCausesText(list)}`
}

/** `above the trigger (12), above the limit of 27,264 (4)`; empty without compactions. */
export function compactionCausesText(list: readonly CompactionReport[]): string {
  const causes = new Map<string, number>()
  for (const { receipt } of list) countOne(causes, causeText(receipt.cause, receipt))
  return causesText(Object.fromEntries(causes), String)
}

/** Suggests a window that is small enough for compactions. */
function neverText({ requests, impossible, tokens }: ReplayReport): string {
  if (requests === impossible) return '0'
  const smaller = Math.ceil(tokens.largest / 2 / windowStep) * windowStep
  const hint = smaller < leastWindow ? '' : `; try --window ${smaller}`
  return `0: all messages fit${hint}`
}

const windowStep = 500
/** Below it, the reserve for the reply leaves nearly nothing. */
const leastWindow = 2_000

function violationsText({ violations, recounted }: ReplayReport): string {
  const count = recounted ? 'counted again' : 'not counted again (install gpt-tokenizer)'
  const how = `the tokens of each request were ${count}; its format was checked against the rules of one of five providers, a different one each time`
  const { total, by } = violations
  return total === 0 ? `0 (${how})` : `${grouped(total)}: ${causesText(by, String)} (${how})`
}

/** `compaction (2), pins changed (1)`; one cause needs no number. */
export function causesText(by: Counts['by'], textOf: (cause: string) => string): string {
  const causes = new Map<string, number>()
  for (const [cause, times] of Object.entries(by))
    causes.set(textOf(cause), (causes.get(textOf(cause)) ?? 0) + times)
  const [only = '', other] = causes.keys()
  if (other === undefined) return only
  return [...causes].map(([text, times]) => `${text} (${grouped(times)})`).join(', ')
}

function survivalText({ survival, compactions }: ReplayReport): string {
  if (compactions.total === 0) return 'not measured: no compactions'
  if (survival === null)
    return `not measured: fewer than ${leastNeeded} earlier names were used after each compaction`
  const { names, compactions: cuts, shownNames, inTailNames } = survival
  const { total } = compactions
  const when = total === 1 ? 'the compaction' : 'compactions'
  const rest = total - cuts
  const others = rest === 1 ? 'the other one' : 'each of the others'
  const uncounted = `. This counts ${grouped(cuts)} of ${grouped(total)} compactions: after ${others}, fewer than ${leastNeeded} earlier names were used`
  return `${grouped(shownNames)} of ${counted(names, 'name')} (files, functions, ids) that the assistant used after ${when} were in the context; a context of the same size with only the newest messages would have ${grouped(inTailNames)}${rest === 0 ? '' : uncounted}`
}

function costLines({ cost }: ReplayReport, output: Output): readonly string[] {
  const { bold, dim } = styleOf(output)
  const rows = costMethods.map((method) => [method, ...costCells(cost[method])])
  const lines = drawTable(costColumns, rows, output)
  const { fits, largestRequest } = cost.full
  const tooLong = `full does not fit: needs ${amountText(largestRequest)} tokens.`
  const isEqual =
    fits && costMethods.slice(1, -1).every((each) => cost[each].ofSliding === cost.full.ofSliding)
  return [
    ...wrap(unitNote, output.width).map(dim),
    '',
    ...lines.slice(0, -1),
    bold(lines.at(-1) ?? ''),
    '',
    ...(fits ? [] : [...wrap(tooLong, output.width), '']),
    ...(isEqual ? [...wrap(equalNote, output.width), ''] : []),
    ...wrap(methodsNote, output.width).map(dim),
  ]
}

export function costCells(cost: CostReport): readonly string[] {
  const { tokens, ofSliding, ofForgetting, paidOfSliding } = cost
  const shares = [ofSliding, ofForgetting, paidOfSliding].map((share) => share.toFixed(2))
  return [amountText(tokens), ...shares]
}
