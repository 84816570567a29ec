/** Renders a context for people: size, sections, omissions and messages. */
import type { Context, Decision, Omission } from '../../index.ts'
import { messageText } from '../../toolkit/index.ts'
import type { Output } from '../world.ts'
import { wrap } from './cells.ts'
import { type LabelledRow, labelled, meterRow } from './labelled.ts'
import { firstLines } from './message-lines.ts'
import { counted, grouped, percent } from './numbers.ts'
import { reasonTexts } from './reason-texts-data.ts'
import { safeLine } from './safe-text.ts'
import { slotNames } from './slot-names-data.ts'
import { styleOf } from './style.ts'

/** `maxInputTokens`: the provider's limit on input; null for the whole window. */
export function contextFigures(
  context: Context,
  maxInputTokens: number | null,
  output: Output,
): readonly string[] {
  const { model, tokens, available, budget, decision } = context
  const share = available === 0 ? 0 : tokens / available
  const input = maxInputTokens === null ? '' : `, input at most ${grouped(maxInputTokens)}`
  const { windowTokens, windowSource, reserveTokens, triggerTokens, targetTokens } = budget
  const figures = `${grouped(tokens)} of ${grouped(available)} (${percent(share)})`
  const compacted = `compacts when above ${grouped(triggerTokens)} tokens, to about ${grouped(targetTokens)}`
  const { 'left-out': left, stubbed } = omittedCounts(context.omitted)
  const rows: readonly LabelledRow[] = [
    ['model', `${model}, window ${grouped(windowTokens)}${input} (${windowSource})`],
    ['tokens', meterRow(share, figures, output)],
    ['budget', `${grouped(reserveTokens)} reserved for the reply; ${compacted}`],
    ['decision', decisionText(decision, left)],
    ['cache', cacheText(context)],
    ...omittedRows(left, stubbed),
  ]
  const sections = [...sectionLines(context, output), ...countedNote(context, output)]
  return [...labelled(rows, output), '', ...sections]
}

/**
 * Section sizes are our own counts. The total also includes the framing of messages, and is calibrated
 * with the usage that the provider reported.
 */
function countedNote({ sections, tokens }: Context, output: Output): readonly string[] {
  const parts = sections.reduce((sum, section) => sum + section.tokens, 0)
  if (Math.abs(tokens - parts) <= Math.max(leastApart, parts * shareApart)) return []
  const note = `The sections are our own count, ${grouped(parts)} in total. The ${grouped(tokens)} above is calibrated with the usage that the provider reported.`
  return ['', ...wrap(note, output.width).map(styleOf(output).dim)]
}

/** The framing of messages is in no section. */
const leastApart = 16
const shareApart = 0.01
const shareCells = 20

function sectionLines(
  { sections, tokens, messages: shown }: Context,
  output: Output,
): readonly string[] {
  const { full, cyan, dim } = styleOf(output)
  const rows = sections
    .filter((section) => section.tokens > 0)
    .map(({ kind, messages, tokens: own }) => ({
      figures: `  ${kind.padEnd(10)} ${grouped(own).padStart(9)}`,
      share: own / Math.max(1, tokens),
      what: kind === 'tools' || kind === 'system' ? '' : counted(messages, unitOf(kind, shown)),
    }))
  const others = Math.max(0, ...rows.map(({ figures, what }) => figures.length + what.length + 4))
  const cells = Math.min(shareCells, output.width - others)
  return rows.map(({ figures, share, what }) => {
    const bar = full.repeat(Math.max(1, Math.round(share * cells)))
    const drawn = cells < leastCells ? '' : `${cyan(bar.padEnd(cells))}  `
    return `${figures}  ${drawn}${dim(what)}`.trimEnd()
  })
}

const leastCells = 4

/** Text that the engine wrote is a block; a message comes from the log or is the next one. */
function unitOf(kind: string, shown: Context['messages']): string {
  const isDerived = shown.every(({ slot, seq }) => slot !== kind || seq === null)
  return isDerived && kind !== 'current' ? 'block' : 'message'
}

function cacheText({ brokenBy, prefixOf }: Context): string {
  if (brokenBy !== null) return `prefix changed (${brokenBy}): the provider's cache does not apply`
  return prefixOf === null ? 'first request, nothing cached' : 'keeps the cached prefix'
}

function omittedCounts(omitted: readonly Omission[]) {
  const counts = { 'left-out': 0, stubbed: 0, 'over-share': 0 }
  for (const { why, span } of omitted) counts[why] += span === null ? 1 : span.to - span.from
  return counts
}

export function omittedRows(leftOut: number, stubbed: number): readonly LabelledRow[] {
  if (leftOut + stubbed === 0) return [['left out', 'nothing: all messages are shown']]
  return [
    ['left out', counted(leftOut, 'message')],
    ['shortened', stubbed === 0 ? null : counted(stubbed, 'message')],
  ]
}

export function contextMessages(
  { system, messages, repairs }: Context,
  most: number | null,
  output: Output,
): readonly string[] {
  const { bold, cyan, dim, green, yellow } = styleOf(output)
  const paints = { user: cyan, assistant: green, tool: yellow, system: dim }
  const all = [
    ...system.map(({ text }) => ({ label: 'system', role: 'system', text }) as const),
    ...messages.map(({ seq, slot, role, parts }) => ({
      label: seq === null ? `${slotNames[slot] ?? slot} (${role})` : `#${seq} ${role}`,
      role,
      text: messageText({ parts, marks: [] }),
    })),
  ]
  const isEnded = repairs.some(({ kind }) => kind === 'ending-added')
  const why = 'A placeholder for the next user message; --next TEXT sets it.'
  const note = isEnded ? wrap(why, output.width - 2).map((line) => `  ${dim(line)}`) : []
  const cuts = all.map(({ text }) => firstLines(text, most, output, 1))
  const cut = cuts.filter(({ isCut }) => isCut).length
  const hint = `This screen shortens ${counted(cut, 'message')}; the model gets ${cut === 1 ? 'it' : 'them'} in full. \`--full\` shows everything.`
  return [
    ...all.flatMap(({ label, role }, index) => [
      '',
      bold(paints[role](safeLine(label))),
      ...(cuts[index]?.lines ?? []),
    ]),
    ...note,
    ...(cut === 0 ? [] : ['', ...wrap(hint, output.width).map(dim)]),
  ]
}

type DecisionSummary = Pick<Decision, 'kind' | 'reason' | 'shadow'>

export function decisionText({ kind, reason, shadow }: DecisionSummary, leftOut: number): string {
  if (kind === 'renew' && reason === 'first')
    return leftOut === 0
      ? `not compacted (${reasonText(reason)})`
      : `compacted (too long for the ${reasonText(reason)})`
  const why = `${reasonText(reason)}${shadow ? ', shadow mode' : ''}`
  return `${shadow ? 'would be ' : ''}${words[kind]} (${why})`
}

export function reasonText(code: string): string {
  return reasonTexts[code] ?? code
}

const words: Readonly<Record<Decision['kind'], string>> = {
  continue: 'not compacted',
  compact: 'compacted',
  trim: 'trimmed to fit',
  renew: 'rebuilt',
}

/** For a dry run: what the next request will do on its own. */
export function nextRequestText({ kind, reason, shadow }: DecisionSummary): string {
  switch (kind) {
    case 'continue':
      return reason === 'below'
        ? 'The next request would not compact: it is below the threshold.'
        : `The next request would not compact (${reasonText(reason)}).`
    case 'compact':
      return shadow
        ? `The next request would only report that a compaction is due (${reasonText(reason)}, shadow mode).`
        : `The next request compacts automatically (${reasonText(reason)}).`
    case 'trim':
      return 'The next request is trimmed to fit, because auto-compaction is off.'
    case 'renew':
      return reason === 'first'
        ? 'No request was sent to this model yet; the first one is compacted if it is too long.'
        : `The next request rebuilds the context (${reasonText(reason)}).`
  }
}
