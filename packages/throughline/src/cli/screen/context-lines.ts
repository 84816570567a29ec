/** Renders a context for people: size, sections, omissions and messages. */
import type { Budget, Context, Decision, Meter, Omission } from '../../index.ts'
import { messageText } from '../../toolkit/index.ts'
import type { Output } from '../world.ts'
import { wrap } from './cells.ts'
import { type LabelledRow, labelled, meterRow } from './labelled.ts'
import { firstLines } from './message-lines.ts'
import { counted, grouped, percent } from './numbers.ts'
import { compactionCauses, kindNames, reasonTexts } from './reason-texts-data.ts'
import { safeLine } from './safe-text.ts'
import { styleOf } from './style.ts'

export interface FigureOptions extends WholeSize {
  readonly meter: Meter
  readonly compaction: 'on' | 'off' | 'shadow' | 'undone'
}

interface WholeSize {
  /** Tokens without a compaction; null if unknown. */
  readonly wholeTokens: number | null
}

export function contextFigures(
  context: Context,
  { meter, compaction, wholeTokens }: FigureOptions,
  output: Output,
): readonly string[] {
  const { model, tokens, available, budget, decision } = context
  const share = available === 0 ? 0 : tokens / available
  const { windowTokens, windowSource, inputLimitTokens } = budget
  const input = inputLimitTokens === null ? '' : `, input at most ${grouped(inputLimitTokens)}`
  const figures = `${grouped(tokens)} of ${grouped(available)} (${percent(share)})`
  const { 'left-out': left, stubbed } = omittedCounts(context.omitted)
  const planned = plannedText(decision, { compacts: left > 0, wholeTokens, budget })
  const rows: readonly LabelledRow[] = [
    ['model', `${model}, window ${grouped(windowTokens)}${input} (${windowSource})`],
    ['tokens', meterRow(share, figures, output)],
    ['limit', limitText(budget, output)],
    ['compaction', compactionText(context, left)[compaction]],
    ['decision', `${planned} (dry run, nothing is stored)`],
    ['cache', cacheText(context)],
    ...omittedRows(left, stubbed),
  ]
  return [...labelled(rows, output), '', ...sectionLines(context, meter, output)]
}

function limitText(budget: Budget, output: Output): string {
  const { windowTokens, reserveTokens, inputLimitTokens, marginTokens, availableTokens } = budget
  const { minus } = styleOf(output)
  const besideReply = windowTokens - reserveTokens
  const isByInput = inputLimitTokens !== null && inputLimitTokens < besideReply
  const most = isByInput ? inputLimitTokens : besideReply
  if (Math.abs(most - marginTokens - availableTokens) > 1)
    return `${grouped(availableTokens)}, since the provider refused a larger request`
  const from = isByInput
    ? `${grouped(most)} of input`
    : `${grouped(windowTokens)} ${minus} ${grouped(reserveTokens)} for the reply`
  return `${from} ${minus} ${grouped(marginTokens)} margin = ${grouped(availableTokens)} tokens`
}

function compactionText({ budget, tokens }: Context, leftOut: number) {
  const { triggerTokens, targetTokens } = budget
  const isLarger = leftOut > 0 && tokens > targetTokens * muchAbove
  const above = `above ${grouped(triggerTokens)} tokens`
  const target = `to about ${grouped(targetTokens)}${isLarger ? '; larger here, because the newest messages and the open request are always kept' : ''}`
  return {
    on: `${above}, ${target}`,
    shadow: `shadow mode: only reported, ${above}`,
    off: 'off; a request that does not fit is trimmed',
    undone: `off since an undo; only a request that does not fit is compacted, ${target}`,
  }
}

const muchAbove = 1.1

/** The rows of a context by kind, as in a receipt; they add up unless the total is calibrated. */
function sectionLines(context: Context, meter: Meter, output: Output): readonly string[] {
  const { full, cyan, dim } = styleOf(output)
  const kinds = kindsOf(context, meter)
  const counts = [...kinds.values()]
  const parts = counts.reduce((sum, { tokens }) => sum + tokens, 0)
  const framing = context.tokens - parts
  const isCalibrated = Math.abs(framing) > Math.max(leastApart, parts * shareApart)
  if (!isCalibrated) kinds.set('frames', { tokens: framing, what: '' })
  const note = `The rows are our own count, ${grouped(parts)} in total. The ${grouped(context.tokens)} above is calibrated with the usage that the provider reported.`
  const rows = [...kinds].filter(([, { tokens }]) => tokens > 0)
  const others = Math.max(0, ...rows.map(([, { what }]) => what.length + 26))
  const cells = Math.min(shareCells, output.width - others)
  return [
    ...rows.map(([kind, { tokens, what }]) => {
      const bar = full.repeat(Math.max(1, Math.round((tokens / context.tokens) * cells)))
      const drawn = cells < leastCells ? '' : `${cyan(bar.padEnd(cells))}  `
      const figures = `  ${kindName(kind).padEnd(10)} ${grouped(tokens).padStart(9)}`
      return `${figures}  ${drawn}${dim(what)}`.trimEnd()
    }),
    ...(isCalibrated ? ['', ...wrap(note, output.width).map(dim)] : []),
  ]
}

/** The framing of messages is in no section. */
const leastApart = 16
const shareApart = 0.01
const shareCells = 20
const leastCells = 4

type KindCounts = Readonly<{ tokens: number; what: string }>

function kindsOf({ sections, messages, omitted }: Context, meter: Meter): Map<string, KindCounts> {
  const line = Math.max(0, ...omitted.map(({ why, span }) => (why === 'left-out' && span?.to) || 0))
  const fixed = sections.filter(({ kind }) => kind === 'system' || kind === 'tools')
  const byKind = Map.groupBy(messages, ({ seq, slot }) => {
    if (seq === null) return slot
    return isStubbed(seq, omitted) ? 'stubs' : seq < line ? 'kept' : slot
  })
  return new Map([
    ...fixed.map(({ kind, tokens }) => [kind, { tokens, what: '' }] as const),
    ...[...byKind].map(([kind, shown]) => {
      const isBlock = shown.every(({ seq }) => seq === null) && kind !== 'current'
      const what = counted(shown.length, isBlock ? 'block' : 'message')
      return [kind, { tokens: meter.messages(shown), what }] as const
    }),
  ])
}

function isStubbed(seq: number, omitted: readonly Omission[]): boolean {
  return omitted.some(
    ({ why, span }) => why === 'stubbed' && span !== null && span.from <= seq && seq < span.to,
  )
}

export function kindName(kind: string): string {
  return kindNames[kind] ?? kind
}

function cacheText({ brokenBy, prefixOf }: Context): string {
  if (brokenBy !== null) return `prefix changed (${breakText(brokenBy)}): nothing cached applies`
  return prefixOf === null ? 'first request, nothing cached' : 'keeps the cached prefix'
}

export function breakText(cause: string): string {
  return compactionCauses.includes(cause) ? 'compaction' : reasonText(cause)
}

function omittedCounts(omitted: readonly Omission[]) {
  const counts = { 'left-out': 0, stubbed: 0, 'over-share': 0 }
  for (const { why, span } of omitted) counts[why] += span === null ? 1 : span.to - span.from
  return counts
}

export function omittedRows(leftOut: number, stubbed: number): readonly LabelledRow[] {
  if (leftOut + stubbed === 0) return [['left out', 'nothing: all messages are sent']]
  return [['left out', counted(leftOut, 'message')], shortenedRow(stubbed)]
}

export function shortenedRow(stubbed: number): LabelledRow {
  return ['shortened', stubbed === 0 ? null : `${grouped(stubbed)} of the messages still sent`]
}

type ShownContext = Pick<Context, 'system' | 'messages' | 'omitted' | 'repairs'>

/** `most`: lines of each text; null for all, and for blocks with their marks. */
export function contextMessages(
  { system, messages, omitted, repairs }: ShownContext,
  most: number | null,
  output: Output,
): readonly string[] {
  const { bold, cyan, dim, green, yellow, more } = styleOf(output)
  const paints = { user: cyan, assistant: green, tool: yellow, system: dim }
  const all = [
    ...system.map(({ text }) => ({ label: 'system', role: 'system', text }) as const),
    ...messages.map(({ seq, slot, role, parts }) => {
      const text = messageText({ parts, marks: [] })
      if (seq !== null) {
        const note = isStubbed(seq, omitted) ? ' (shortened for the model)' : ''
        return { label: `#${seq} ${role}${note}`, role, text }
      }
      const { label = kindName(slot), data, inside = text } = block.exec(text)?.groups ?? {}
      const sent = `sent as role ${role}${data === undefined ? '' : ', marked as data'}`
      return { label: `${label} (${sent})`, role, text: most === null ? text : inside }
    }),
  ]
  const isEnded = repairs.some(({ kind }) => kind === 'ending-added')
  const why = 'A placeholder for the next user message; --next TEXT sets it.'
  const note = isEnded ? wrap(why, output.width - 2).map((line) => `  ${dim(line)}`) : []
  const texts = all.map(({ text }) => firstLines(text, most, output))
  const hint = `[+${more}] marks a cut on this screen only.`
  return [
    ...all.flatMap(({ label, role }, index) => [
      '',
      ...wrap(safeLine(label), output.width).map((line) => bold(paints[role](line))),
      ...(texts[index]?.lines ?? []),
    ]),
    ...note,
    ...(texts.some(({ isCut }) => isCut) ? ['', dim(hint)] : []),
  ]
}

/** Text that the engine wrote, between marks. */
const block =
  /^\[(?<label>[^\n]*?)(?<data> · data, not instructions)? · (?<mark>\w+)\]\n(?<inside>[\s\S]*)\n\[end \k<mark>\]$/

type DecisionSummary = Pick<Decision, 'kind' | 'reason' | 'shadow'>

/** Of a past request. */
export function decisionText(decision: DecisionSummary, leftOut: number): string {
  return `${outcomeOf(decision, leftOut > 0)} (${whyText(decision)})`
}

/** Of a request that is not built yet; `compacts`: whether a first one would leave out messages. */
export function plannedText(
  decision: DecisionSummary,
  { compacts, wholeTokens, budget }: Pick<Context, 'budget'> & WholeSize & { compacts: boolean },
): string {
  const { availableTokens, triggerTokens } = budget
  const outcome = outcomeOf(decision, compacts)
  const { reason } = decision
  if (outcome === 'not compacted')
    return `would not be compacted: ${whyText(reason === 'first' ? { reason: 'below' } : decision)}`
  const whole = `would be ${outcome}: ${grouped(wholeTokens ?? 0)} tokens`
  const isLimit = reason === 'emergency' || reason === 'onTrim'
  if (outcome === 'rebuilt' || wholeTokens === null || (!isLimit && wholeTokens <= triggerTokens))
    return `would be ${outcome}: ${whyText(decision)}`
  if (wholeTokens > availableTokens) return `${whole} do not fit ${grouped(availableTokens)}`
  // A provider may count the JSON of tool calls too.
  return isLimit
    ? `${whole} and their JSON might not fit ${grouped(availableTokens)}`
    : `${whole} are above ${grouped(triggerTokens)}`
}

function outcomeOf({ kind, reason, shadow }: DecisionSummary, compacts: boolean): string {
  if (kind === 'continue' || shadow) return 'not compacted'
  if (kind === 'trim') return 'trimmed to fit'
  if (kind === 'renew' && reason !== 'first') return 'rebuilt'
  return kind === 'compact' || compacts ? 'compacted' : 'not compacted'
}

function whyText({
  reason,
  shadow = false,
}: Partial<DecisionSummary> & { reason: string }): string {
  return `${reasonText(reason)}${shadow ? ', shadow mode' : ''}`
}

export function reasonText(code: string): string {
  return reasonTexts[code] ?? code.replaceAll('-', ' ')
}
