/** A context for people: how full it is, of what, what is left out, and its messages. */
import type { Context, Decision, Omission } from '../../index.ts'
import { messageText } from '../../toolkit/index.ts'
import type { Output } from '../world.ts'
import { wrap } from './cells.ts'
import { type LabelledRow, labelled, meterRow } from './labelled.ts'
import { firstLines } from './message-lines.ts'
import { counted, grouped, percent } from './numbers.ts'
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
  const input =
    maxInputTokens === null ? '' : `, of which input is ${grouped(maxInputTokens)} at most`
  const { windowTokens, windowSource, reserveTokens, triggerTokens, targetTokens } = budget
  const figures = `${grouped(tokens)} of ${grouped(available)} (${percent(share)})`
  const compacted = `compacted above ${grouped(triggerTokens)}, to about ${grouped(targetTokens)}`
  const rows: readonly LabelledRow[] = [
    ['model', `${model}, window ${grouped(windowTokens)}${input} (${windowSource})`],
    ['tokens', meterRow(share, figures, output)],
    ['budget', `${grouped(reserveTokens)} kept for the reply; ${compacted}`],
    ['decision', decisionText(decision)],
    ['cache', cacheText(context)],
    ['not shown', omittedText(context.omitted)],
  ]
  const sections = [...sectionLines(context, output), ...countedNote(context, output)]
  return [...labelled(rows, output), '', ...sections]
}

/**
 * Sections are our own counts; the total has frames too, and is corrected by what the provider
 * reported.
 */
function countedNote({ sections, tokens }: Context, output: Output): readonly string[] {
  const parts = sections.reduce((sum, section) => sum + section.tokens, 0)
  if (Math.abs(tokens - parts) <= Math.max(leastApart, parts * shareApart)) return []
  const told = `These are by our own count, ${grouped(parts)} in all; the ${grouped(tokens)} above are set right by what the provider has reported.`
  return ['', ...wrap(told, output.width).map(styleOf(output).dim)]
}

/** Frames of a request are in no section. */
const leastApart = 16
const shareApart = 0.01
const shareCells = 20

function sectionLines({ sections, tokens }: Context, output: Output): readonly string[] {
  const { full, cyan, dim } = styleOf(output)
  const rows = sections
    .filter((section) => section.tokens > 0)
    .map(({ kind, messages, tokens: own }) => ({
      figures: `  ${kind.padEnd(10)} ${grouped(own).padStart(9)}`,
      share: own / Math.max(1, tokens),
      what: kind === 'tools' || kind === 'system' ? '' : counted(messages, 'message'),
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

function cacheText({ brokenBy, prefixOf }: Context): string {
  if (brokenBy !== null) return `begins anew (${brokenBy})`
  return prefixOf === null ? 'nothing was sent before' : 'extends the request before'
}

function omittedText(omitted: readonly Omission[]): string {
  const counts = { 'left-out': 0, stubbed: 0, 'over-share': 0 }
  for (const { why, span } of omitted) counts[why] += span === null ? 1 : span.to - span.from
  const { 'left-out': left, stubbed } = counts
  return shortenedText(left, stubbed) ?? 'nothing: everything is there'
}

/** Null where every message is shown whole. */
export function shortenedText(leftOut: number, stubbed: number): string | null {
  if (leftOut + stubbed === 0) return null
  return `${counted(leftOut, 'message')} left out, ${counted(stubbed, 'message')} shortened`
}

export function contextMessages(
  { system, messages, repairs }: Context,
  most: number | null,
  output: Output,
): readonly string[] {
  const { bold, cyan, dim, green, yellow } = styleOf(output)
  const paints = { user: cyan, assistant: green, tool: yellow, system: dim }
  const said = [
    ...system.map(({ text }) => ({ label: 'system', role: 'system', text }) as const),
    ...messages.map(({ seq, slot, role, parts }) => ({
      label: seq === null ? `${slotNames[slot] ?? slot} (${role})` : `#${seq} ${role}`,
      role,
      text: messageText({ parts, marks: [] }),
    })),
  ]
  const isEnded = repairs.some(({ kind }) => kind === 'ending-added')
  const why = 'It stands for what the user says next, which --next TEXT puts there.'
  const note = isEnded ? wrap(why, output.width - 2).map((line) => `  ${dim(line)}`) : []
  const shown = said.flatMap(({ label, role, text }) => [
    '',
    bold(paints[role](safeLine(label))),
    ...firstLines(text, most, output, 1).lines,
  ])
  return [...shown, ...note]
}

type Told = Pick<Decision, 'kind' | 'reason' | 'shadow'>

export function decisionText({ kind, reason, shadow }: Told): string {
  if (kind === 'renew' && reason === 'first') return 'put together for the first time'
  const told = shadow ? `${reason}, only told` : reason
  return `${words[kind]} (${told})`
}

const words: Readonly<Record<Decision['kind'], string>> = {
  continue: 'not compacted',
  compact: 'compacted',
  trim: 'trimmed to fit',
  renew: 'made anew',
}

export function leftAloneText({ kind, reason, shadow }: Told): string {
  switch (kind) {
    case 'continue':
      return reason === 'below'
        ? 'left alone, nothing is compacted yet: no trigger has fired.'
        : `left alone, nothing is compacted yet (${reason}).`
    case 'compact':
      return shadow
        ? `left alone, the next request would only tell that it is time (${reason}).`
        : `left alone, the next request compacts by itself (${reason}).`
    case 'trim':
      return 'left alone, the next request is trimmed to fit, since compaction is off.'
    case 'renew':
      return reason === 'first'
        ? 'nothing was sent to this model yet, and the first request would hold all that fits.'
        : `left alone, the next request is put together anew (${reason}).`
  }
}
