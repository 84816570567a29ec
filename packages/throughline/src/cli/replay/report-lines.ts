/** The report of a replay for people. */
import { cutTo, wrap } from '../screen/cells.ts'
import { type LabelledRow, labelled } from '../screen/labelled.ts'
import { amountText, counted, countsText, duration, grouped, percent } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { drawTable } from '../screen/table.ts'
import { type CostMethod, costMethods } from '../simulation/cost-session.ts'
import type { Output } from '../world.ts'
import { costColumns, howItIsCounted, whatIsLost } from './cost-table-data.ts'
import type { CostReport, Counts, ReplayReport } from './replay-report.ts'

export function reportLines(report: ReplayReport, output: Output): readonly string[] {
  const { bold } = styleOf(output)
  const { conversation, model, windowTokens, policy, requests } = report
  const name = safeLine(conversation.title ?? conversation.id)
  const longest = `The longest of ${conversation.others + 1} conversations; another one by its name behind the file.`
  return [
    bold(cutTo(name, output.width, styleOf(output).more)),
    ...wrap(
      `${messagesText(conversation)}, ${counted(requests, 'request')} to ${model} in a window of ${grouped(windowTokens)} tokens, policy ${safeLine(policy.name)} (${policy.hash})`,
      output.width,
    ),
    ...(conversation.others === 0 ? [] : wrap(longest, output.width)),
    '',
    ...labelled(figureRows(report), output),
    ...(report.tokens.sent === 0 ? [] : ['', ...costLines(report, output)]),
  ]
}

/** As many as an import counts. */
function messagesText({ messages, prompts }: ReplayReport['conversation']): string {
  const all = counted(messages + prompts, 'message')
  return prompts === 0 ? all : `${all} (${grouped(prompts)} of them the system prompt)`
}

function figureRows(report: ReplayReport): readonly LabelledRow[] {
  const { violations, compactions, breaks, tokens, turnMs, impossible } = report
  return [
    ['violations', violationsText(report)],
    [
      'impossible',
      impossible === 0 ? null : `${counted(impossible, 'request')} whose prompt alone is too large`,
    ],
    ['compactions', compactions.total === 0 ? neverText(report) : withCauses(compactions)],
    [
      'prefix breaks',
      `${withCauses(breaks)}${violations.by['prefix break without a cause'] ? '' : '; none without a cause'}`,
    ],
    [
      'tokens sent',
      `${amountText(tokens.sent)}; the largest request ${grouped(tokens.largest)} of ${grouped(report.availableTokens)}, ${percent(tokens.averageShare)} full on average`,
    ],
    ['names', survivalText(report)],
    [
      'time per turn',
      `median ${duration(turnMs.median)}, p95 ${duration(turnMs.p95)}, with its append on disk`,
    ],
  ]
}

/** Suggests a window in which there is something to see. */
function neverText({ requests, impossible, tokens }: ReplayReport): string {
  if (requests === impossible) return '0'
  const smaller = Math.ceil(tokens.largest / 2 / windowStep) * windowStep
  const hint = smaller < leastWindow ? '' : `; --window ${smaller} shows how it is kept in less`
  return `0: all of it fits${hint}`
}

const windowStep = 500
/** Below it, the reserve for the reply leaves nearly nothing. */
const leastWindow = 2_000

function violationsText({ violations, recounted }: ReplayReport): string {
  const how = recounted
    ? 'each context counted again, and written for five providers in turns'
    : 'each context written for five providers in turns; gpt-tokenizer is not there to count again'
  return violations.total === 0 ? `0 (${how})` : `${withCauses(violations)} (${how})`
}

function withCauses({ total, by }: Counts): string {
  return total === 0 ? '0' : `${grouped(total)}: ${countsText(by)}`
}

function survivalText({ survival, compactions }: ReplayReport): string {
  if (compactions.total === 0) return 'nothing was compacted'
  if (survival === null) return 'too few were needed behind a compaction to say'
  const { names, compactions: cuts, shown, inTail } = survival
  return `${shown.toFixed(2)} of those needed next stood in the context (${counted(names, 'name')} at ${counted(cuts, 'compaction')}); in a tail of its size ${inTail.toFixed(2)}`
}

function costLines({ cost }: ReplayReport, output: Output): readonly string[] {
  const { bold, dim } = styleOf(output)
  const row = (method: CostMethod) => [
    method,
    ...costCells(cost[method]),
    noteOn(method, cost[method]),
  ]
  const lines = drawTable(costColumns, costMethods.map(row), output)
  return [
    ...lines.slice(0, -1),
    bold(lines.at(-1) ?? ''),
    '',
    ...wrap(whatIsLost, output.width).map(dim),
    '',
    ...wrap(howItIsCounted, output.width).map(dim),
  ]
}

export function costCells(cost: CostReport): readonly string[] {
  const { tokens, ofSliding, ofForgetting, paidOfSliding } = cost
  return [
    amountText(tokens),
    ...[ofSliding, ofForgetting, paidOfSliding].map((share) => share.toFixed(2)),
  ]
}

function noteOn(method: CostMethod, { fits, largestRequest, summaries }: CostReport): string {
  if (method === 'full' && !fits) return `needs ${amountText(largestRequest)}`
  return summaries > 0 ? counted(summaries, 'summary', 'summaries') : ''
}
