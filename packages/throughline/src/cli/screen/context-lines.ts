/** Renders a context for people: size, sections, omissions and messages. */
import type { Budget, Compacted, Context, Decision, Meter, Omission } from '../../index.ts'
import { messageText } from '../../toolkit/index.ts'
import type { Output } from '../world.ts'
import { wrap } from './cells.ts'
import { type LabelledRow, labelled, meterRow } from './labelled.ts'
import { firstLines, otherOrigin } from './message-lines.ts'
import { counted, grouped, percent } from './numbers.ts'
import { compactionCauses, kindNames, limitReasons, reasonTexts } from './reason-texts-data.ts'
import { safeLine } from './safe-text.ts'
import { styleOf } from './style.ts'

export interface FigureOptions {
  readonly meter: Meter
  readonly compaction: 'on' | 'off' | 'shadow' | 'undone'
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
  const { 'left-out': left, stubbed } = omittedCounts(context.omitted)
  const isCompacted = outcomeOf(decision, left > 0) === 'compacted'
  const figures = `${grouped(tokens)} of ${grouped(available)} (${percent(share)})`
  const larger = tokens > budget.targetTokens * muchAbove ? largerText(budget) : ''
  const planned = plannedText(decision, left > 0, wholeTokens, budget, compaction)
  const rows: readonly LabelledRow[] = [
    ['model', `${model}, window ${grouped(windowTokens)}${input} (${windowSource})`],
    ['limit', limitText(budget, output)],
    ['compaction', compactionText(budget)[compaction]],
    ['decision', `${planned} (dry run, nothing is stored)`],
    ['tokens', meterRow(share, figures, output)],
    ['', isCompacted ? `after compaction${larger}` : null],
    ['cache', cacheText(context)],
    ...omittedRows(left, stubbed),
  ]
  return [...labelled(rows, output), '', ...sectionLines(context, meter, output)]
}

/** The margin includes what a provider once refused as too large. */
function limitText(budget: Budget, output: Output): string {
  const { windowTokens, reserveTokens, inputLimitTokens, availableTokens } = budget
  const { minus } = styleOf(output)
  const besideReply = windowTokens - reserveTokens
  const most = Math.min(besideReply, inputLimitTokens ?? besideReply)
  const from = `${grouped(windowTokens)} ${minus} ${grouped(reserveTokens)} for the reply`
  const start = most < besideReply ? `${grouped(most)} of input` : from
  return `${start} ${minus} ${grouped(most - availableTokens)} margin = ${grouped(availableTokens)} tokens`
}

function compactionText({ triggerTokens, targetTokens }: Budget) {
  const above = `above ${grouped(triggerTokens)} tokens`
  const target = `aims at about ${grouped(targetTokens)}`
  return {
    on: `starts ${above}, ${target}`,
    shadow: `shadow mode: only reported, ${above}`,
    off: 'off; a request that does not fit is trimmed',
    undone: `off since an undo; only a request that does not fit is compacted; ${target}`,
  }
}

const muchAbove = 1.1
const largerText = ({ targetTokens }: Budget) =>
  `; more than the ${grouped(targetTokens)} aimed at, because the newest messages and the user's current task are added to it`

/** The rows of a context by kind; they add up unless the total is calibrated. */
function sectionLines(context: Context, meter: Meter, output: Output): readonly string[] {
  const { tokens: total } = context
  const kinds = kindsOf(context, meter)
  const parts = kinds.reduce((sum, { tokens }) => sum + tokens, 0)
  // The framing of messages is in no section.
  const isCalibrated = Math.abs(total - parts) > Math.max(leastApart, parts * shareApart)
  const framing = isCalibrated ? [] : [{ kind: 'frames', tokens: total - parts, what: '' }]
  const note = `The rows are our own count, ${grouped(parts)} in total. The ${grouped(total)} above is calibrated with the usage that the provider reported.`
  // Colours would warn of a large row, as they do of a full window.
  const plain = { colours: false, unicode: output.unicode }
  const rows = [...kinds, ...framing].map(({ kind, tokens, what }): LabelledRow => {
    const figures = `${grouped(tokens).padStart(grouped(total).length)}  ${what}`.trimEnd()
    return [kindName(kind), tokens > 0 ? meterRow(tokens / total, figures, plain) : null]
  })
  return [
    ...labelled(rows, output),
    ...(isCalibrated ? ['', ...wrap(note, output.width).map(styleOf(output).dim)] : []),
  ]
}

const leastApart = 16
const shareApart = 0.01

function kindsOf({ sections, messages, omitted }: Context, meter: Meter) {
  const byKind = Map.groupBy(messages, ({ seq, slot, parts }): string => {
    if (seq === null) return ownKind.exec(messageText({ parts, marks: [] }))?.[1] ?? slot
    return isStubbed(seq, omitted) ? 'stubs' : slot === 'earlier' ? 'kept' : slot
  })
  return [
    ...sections.flatMap(({ kind, tokens }) =>
      kind === 'system' || kind === 'tools' ? [{ kind, tokens, what: '' }] : [],
    ),
    ...[...byKind].map(([kind, shown]) => {
      const what = kind === 'current' ? turnText(shown) : amountOf(shown)
      return { kind, tokens: meter.messages(shown), what }
    }),
  ]
}

function amountOf(shown: Context['messages']): string {
  return counted(shown.length, shown.every(({ seq }) => seq === null) ? 'block' : 'message')
}

/** A placeholder for the next user message is no message of the turn. */
function turnText(shown: Context['messages']): string {
  const stored = shown.filter(({ seq }) => seq !== null).length
  return stored === 0 ? 'placeholder' : counted(stored, 'message')
}

/** The label of a block that has its own row, but no slot of its own. */
const ownKind = /^\[(digest|earlier requests) of /

function isStubbed(seq: number, omitted: readonly Omission[]): boolean {
  return omitted.some(
    ({ why, span }) => why === 'stubbed' && span !== null && span.from <= seq && seq < span.to,
  )
}

export function kindName(kind: string): string {
  return kindNames[kind] ?? kind
}

function cacheText({ brokenBy, prefixOf }: Context): string {
  if (brokenBy !== null)
    return `lost: the start of the last context would change (${breakText(brokenBy)})`
  return prefixOf === null ? 'first request, nothing cached' : 'keeps the cached prefix'
}

export function breakText(cause: string): string {
  return compactionCauses.has(cause) ? 'compaction' : reasonText(cause)
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
  return ['shortened', stubbed === 0 ? null : `${grouped(stubbed)} of the messages that are sent`]
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
    ...messages.map((message) => {
      const { seq, slot, role, parts } = message
      const text = messageText({ parts, marks: [] })
      if (seq !== null) {
        const shortened = isStubbed(seq, omitted) ? ['shortened for the model'] : []
        const notes = [...otherOrigin(message), ...shortened]
        const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`
        return { label: `#${seq} ${role}${note}`, role, text }
      }
      const current = role === 'tool' ? 'missing result of the last call' : 'next user message'
      const name = slot === 'current' ? current : kindName(slot)
      const { label = name, data, inside = text } = block.exec(text)?.groups ?? {}
      const sent = `sent as role ${role}${data === undefined ? '' : ', marked as data'}`
      return { label: `${label} (${sent})`, role, text: most === null ? text : inside }
    }),
  ]
  const isEnded = repairs.some(({ kind }) => kind === 'ending-added')
  const why = 'A placeholder for the next user message; --next TEXT sets it.'
  const note = isEnded ? wrap(why, output.width - 2).map((line) => `  ${dim(line)}`) : []
  const texts = all.map(({ text }) => firstLines(text, most, output))
  const hint = `[+N characters] marks text that only this screen leaves out. ${more} inside a text marks what the model does not get either.`
  return [
    ...all.flatMap(({ label, role }, index) => [
      '',
      ...wrap(safeLine(label), output.width).map((line) => bold(paints[role](line))),
      ...(texts[index]?.lines ?? []),
    ]),
    ...note,
    ...(texts.some(({ isCut }) => isCut) ? ['', ...wrap(hint, output.width).map(dim)] : []),
  ]
}

/** Text that the engine wrote, between marks. */
const block =
  /^\[(?<label>[^\n]*?)(?<data> · data, not instructions)? · (?<mark>\w+)\]\n(?<inside>[\s\S]*)\n\[end \k<mark>\]$/

type DecisionSummary = Pick<Decision, 'kind' | 'reason' | 'shadow'>

/** Of a past request. */
export function decisionText(decision: DecisionSummary, leftOut: number): string {
  const shadow = decision.shadow ? ', shadow mode' : ''
  return `${outcomeOf(decision, leftOut > 0)} (${reasonText(decision.reason)}${shadow})`
}

/**
 * Of a request that is not built yet. `compacts`: whether a first one would leave out messages.
 * Without auto-compaction, the threshold does not matter.
 */
export function plannedText(
  decision: DecisionSummary,
  compacts: boolean,
  wholeTokens: number | null,
  budget: Budget,
  compaction: FigureOptions['compaction'],
): string {
  const { availableTokens, triggerTokens } = budget
  const [{ reason }, outcome] = [decision, outcomeOf(decision, compacts)]
  if (outcome === 'not compacted')
    return `would not be compacted: ${whyNot(decision, wholeTokens, budget, compaction)}`
  const isLimit = limitReasons.has(reason)
  if (outcome === 'rebuilt' || wholeTokens === null || (!isLimit && wholeTokens <= triggerTokens))
    return `would be ${outcome}: ${reasonText(reason)}`
  const whole = `would be ${outcome}: ${grouped(wholeTokens)} tokens`
  if (wholeTokens > availableTokens) return `${whole} do not fit ${grouped(availableTokens)}`
  return isLimit
    ? `${whole} ${couldExceed(`the limit of ${grouped(availableTokens)}`)}`
    : `${whole}; compaction starts above ${grouped(triggerTokens)}`
}

/** Why a request would not be compacted. */
export function whyNot(
  { reason, shadow }: DecisionSummary,
  wholeTokens: number | null,
  { triggerTokens }: Budget,
  compaction: FigureOptions['compaction'],
): string {
  const isBelow = reason === 'first' || reason === 'below'
  if (isBelow && compaction === 'off') return reasonText('off')
  if (isBelow && compaction === 'undone') return reasonText('suspended')
  const size = wholeTokens === null ? 'it is' : `${grouped(wholeTokens)} tokens are`
  const start = `${grouped(triggerTokens)}${wholeTokens === null ? ' tokens' : ''}`
  const why = isBelow ? `${size} below the ${start} where compaction starts` : reasonText(reason)
  return `${why}${shadow ? ', shadow mode' : ''}`
}

function outcomeOf({ kind, reason, shadow }: DecisionSummary, compacts: boolean): string {
  if (kind === 'continue' || shadow) return 'not compacted'
  if (kind === 'trim') return 'trimmed to fit'
  if (kind === 'renew' && reason !== 'first') return 'rebuilt'
  return kind === 'compact' || compacts ? 'compacted' : 'not compacted'
}

export function reasonText(code: string): string {
  if (limitReasons.has(code)) return couldExceed('the limit')
  return reasonTexts[code] ?? code.replaceAll('-', ' ')
}

/** The tokens on screens are without JSON, so a request below the limit may be too large too. */
function couldExceed(limit: string): string {
  return `could exceed ${limit} at a provider that also counts JSON syntax`
}

/** Of a compaction, whose size may be above the limit even without the JSON. */
export function causeText(
  code: string,
  { tokensBefore, decision: { figures } }: Pick<Compacted, 'tokensBefore' | 'decision'>,
): string {
  if (!limitReasons.has(code)) return reasonText(code)
  const limit = `the limit of ${grouped(figures.availableTokens)}`
  return (tokensBefore ?? 0) > figures.availableTokens ? `above ${limit}` : couldExceed(limit)
}
