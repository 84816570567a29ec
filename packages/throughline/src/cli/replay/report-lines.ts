/** Renders the report of a replay for people. */
import { cutTo, wrap } from '../screen/cells.ts'
import { type LabelledRow, labelled } from '../screen/labelled.ts'
import { amountText, counted, countsText, duration, grouped, percent } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { drawTable } from '../screen/table.ts'
import { type CostMethod, costMethods } from '../simulation/cost-session.ts'
import type { Output } from '../world.ts'
import { costColumns, methodsNote, unitNote } from './cost-table-data.ts'
import type { CostReport, Counts, ReplayReport } from './replay-report.ts'

export function reportLines(report: ReplayReport, output: Output): readonly string[] {
  const { bold } = styleOf(output)
  const { conversation, model, windowTokens, policy, requests } = report
  const name = safeLine(conversation.title ?? conversation.id)
  const longest = `The longest of ${conversation.others + 1} conversations; add a name after the file for another.`
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

/** The same number as an import reports. */
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
      impossible === 0
        ? null
        : `${counted(impossible, 'request')} with a prompt that alone exceeds the window`,
    ],
    ['compactions', compactions.total === 0 ? neverText(report) : withCauses(compactions)],
    [
      'prefix breaks',
      `${withCauses(breaks)}${violations.by['prefix break without a cause'] ? '' : '; each has a known cause'}`,
    ],
    [
      'tokens sent',
      `${amountText(tokens.sent)}; largest request ${grouped(tokens.largest)} of ${grouped(report.availableTokens)}; ${percent(tokens.averageShare)} full on average`,
    ],
    ['names', survivalText(report)],
    [
      'time per turn',
      `median ${duration(turnMs.median)}, p95 ${duration(turnMs.p95)}, including the write to disk`,
    ],
  ]
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
  const how = recounted
    ? 'each context recounted and validated for one of five providers'
    : 'each context validated for one of five providers; not recounted, install gpt-tokenizer for that'
  return violations.total === 0 ? `0 (${how})` : `${withCauses(violations)} (${how})`
}

function withCauses({ total, by }: Counts): string {
  return total === 0 ? '0' : `${grouped(total)}: ${countsText(by)}`
}

function survivalText({ survival, compactions }: ReplayReport): string {
  if (compactions.total === 0) return 'not measured: no compactions'
  if (survival === null) return 'not measured: too few were needed after a compaction'
  const { names, compactions: cuts, shown, inTail } = survival
  return `${percent(shown)} of the names needed next were in the context (${counted(names, 'name')} at ${counted(cuts, 'compaction')}); in the newest messages of the same size: ${percent(inTail)}`
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
    ...wrap(methodsNote, output.width).map(dim),
    '',
    ...wrap(unitNote, output.width).map(dim),
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
