/** Renders a rule digest as text. With less room, counters replace older lines. */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Narrative } from '../../domain/policy.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import { digestHeading } from '../../domain/summary.ts'
import type { DigestCount, DigestedTo, DigestLine, RuleDigest } from '../../domain/view.ts'
import { type ErrorDetails, formatFacts } from '../../extract/describe-tool-use.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { TextMeter } from '../measure/measure.ts'
import { type LogReader, readPages } from '../read/readers.ts'
import { isSpokenText } from '../text/message-text.ts'
import { type DroppedMessages, digestLines, omittedNote, summaryHeader } from './digest-lines.ts'

/** At most `maxTokens`; empty if even the note about the omission does not fit. */
export function digestText(digest: RuleDigest, maxTokens: number, meter: TextMeter): string {
  if (maxTokens < defaults.summaryLeastTokens)
    return meter.text(omittedNote) <= maxTokens ? omittedNote : ''
  const text = renderDigest(condenseDigest(digest, maxTokens, meter), maxTokens, meter)
  return fitToTokens(text, maxTokens, meter)
}

/** Turns the oldest lines into counters until the text fits. */
function condenseDigest(digest: RuleDigest, maxTokens: number, meter: TextMeter): RuleDigest {
  const lines = digest.updates.flatMap((update) => update.lines)
  const costs = lines.map(() => 0)
  let from = Math.max(0, lines.length - maxLines)
  let remaining = maxTokens - meter.text(summaryHeader(digest.items))
  for (let at = lines.length - 1; at >= from; at -= 1) {
    const cost = meter.text(`${lines[at]?.text ?? ''}\n`)
    costs[at] = cost
    remaining -= cost
    if (remaining < 0) from = at + 1
  }
  for (;;) {
    const condensed = condenseOlder(digest, lines, from)
    const excess = meter.text(renderDigest(condensed, maxTokens, meter)) - maxTokens
    if (excess <= 0 || from >= lines.length) return condensed
    // Drops at least one line, and as many as their costs say.
    let dropped = 0
    do dropped += costs[from++] ?? 0
    while (dropped < excess && from < lines.length)
  }
}

/** A limit also for a meter that counts every text as 0. */
const maxLines = 400

/** Keeps the lines from the index `from` on; the lines before become counters. */
function condenseOlder(digest: RuleDigest, lines: readonly DigestLine[], from: number): RuleDigest {
  if (from === 0) return digest
  let updateStart = 0
  const updates = digest.updates.flatMap((update): RuleDigest['updates'] => {
    const remaining = update.lines.slice(Math.max(0, from - updateStart))
    updateStart += update.lines.length
    return remaining.length === 0 ? [] : [{ ...update, lines: remaining }]
  })
  return { ...digest, updates, condensed: condenseLines(digest.condensed, lines.slice(0, from)) }
}

// Counters use the room that the lines leave, but at least this share.
const minCountsShare = 0.4

function renderDigest(digest: RuleDigest, maxTokens: number, meter: TextMeter): string {
  const freeTokens = maxTokens - meter.text(linesWithCounts(digest, ''))
  const minTokens = maxTokens * minCountsShare
  const renderWith = (countsTokens: number) =>
    linesWithCounts(digest, countsText(digest.condensed, countsTokens, meter))
  const text = renderWith(Math.max(freeTokens, minTokens))
  // Joined texts may have more tokens than their sum.
  return freeTokens <= minTokens || meter.text(text) <= maxTokens ? text : renderWith(minTokens)
}

function linesWithCounts({ items, updates }: RuleDigest, counts: string): string {
  const header = summaryHeader(items)
  const top = counts === '' ? header : `${header}\n${counts}`
  return updates.reduce((before, { version, lines }) => {
    const text = lines.map((line) => line.text).join('\n')
    // The first update needs no heading if it follows the header directly.
    if (version === 1 && counts === '') return `${before}\n${text}`
    return `${before}\n\n[Update ${version}]\n${text}`
  }, top)
}

const countsHeading = '[Condensed history]'
/** Subjects per counter line, for people and for tools; those of people stay longest. */
const subjectLevels = [
  [3, 3],
  [3, 2],
  [2, 1],
  [1, 0],
  [0, 0],
] as const

/** With less room, counter lines show fewer subjects, then are merged; no count is lost. */
function countsText(counts: readonly DigestCount[], maxTokens: number, meter: TextMeter): string {
  if (counts.length === 0) return ''
  let shown = sortCounts(counts)
  for (;;) {
    let text = ''
    for (const [ofPeople, ofTools] of subjectLevels) {
      const lines = shown.map((count) => countLine(count, count.by === 'tool' ? ofTools : ofPeople))
      text = [countsHeading, ...lines].join('\n')
      if (meter.text(text) <= maxTokens) return text
    }
    const tools = shown.filter(({ by }) => by === 'tool')
    if (tools.length < 2) return text
    const people = shown.filter(({ by }) => by !== 'tool')
    shown = [...people, ...tools.slice(0, -2), mergeCounts(tools.slice(-2))]
  }
}

const voices = ['user', 'assistant', 'tool'] as const

/** By voice, then by count, the highest first. */
function sortCounts(counts: readonly DigestCount[]): readonly DigestCount[] {
  return voices.flatMap((voice) =>
    counts
      .filter(({ by }) => by === voice)
      .toSorted((left, right) => right.count - left.count || (left.tool < right.tool ? -1 : 1)),
  )
}

function countLine(counter: DigestCount, subjects: number): string {
  const { by, tool, count, failed, first, newest } = counter
  const shown = subjects === 0 ? [] : newest.slice(-subjects).reverse()
  const hasFirst = subjects > 0 && first !== '' && !shown.includes(first)
  const failures = failed === 0 ? '' : `, ${failed} failed`
  return formatFacts(`${by === 'tool' ? tool : by} ×${count}${failures}`, [
    ...(hasFirst ? [`First: ${first}`] : []),
    ...shown,
  ])
}

const maxSubjects = 3
// More tools than that become one line: a list of all of them would grow with the conversation.
const maxTools = 12
/** Differs from every tool name, because it contains a space. */
const otherTools = 'other tools'

function condenseLines(before: readonly DigestCount[], lines: readonly DigestLine[]) {
  if (lines.length === 0) return before
  const counts = new Map(before.map((count) => [`${count.by} ${count.tool}`, count]))
  for (const { by, tool, subject, failed } of lines) {
    const key = `${by} ${tool}`
    const known = counts.get(key)
    // The map is in the order of the last use, so that the tools used longest ago are merged.
    counts.delete(key)
    counts.set(key, {
      by,
      tool,
      count: (known?.count ?? 0) + 1,
      failed: (known?.failed ?? 0) + (failed ? 1 : 0),
      first: known?.first ?? (by === 'user' ? subject : ''),
      newest: newestSubjects([...(known?.newest ?? []), subject]),
    })
  }
  return limitTools([...counts.values()])
}

function newestSubjects(subjects: readonly string[]): readonly string[] {
  const newestFirst = subjects.filter((subject) => subject !== '').reverse()
  return [...new Set(newestFirst)].slice(0, maxSubjects).reverse()
}

function limitTools(counts: readonly DigestCount[]): readonly DigestCount[] {
  const tools = counts.filter(({ by, tool }) => by === 'tool' && tool !== otherTools)
  if (tools.length <= maxTools) return counts
  const merged = new Set(tools.slice(0, -maxTools))
  const isMerged = (count: DigestCount) => count.tool === otherTools || merged.has(count)
  return [mergeCounts(counts.filter(isMerged)), ...counts.filter((count) => !isMerged(count))]
}

function mergeCounts(counts: readonly DigestCount[]): DigestCount {
  const sum = (field: 'count' | 'failed') =>
    counts.reduce((total, count) => total + count[field], 0)
  const newest = newestSubjects(counts.flatMap((count) => count.newest))
  const [count, failed] = [sum('count'), sum('failed')]
  return { by: 'tool', tool: otherTools, count, failed, first: '', newest }
}

/** Folds messages into a rule digest: lines without room become counters. */
export function foldDigest(
  before: RuleDigest | null,
  dropped: DroppedMessages,
  options: ErrorDetails & {
    readonly maxSummaryTokens: number
    /** Tokens that a model used for this update; rules use none. */
    readonly tokensUsed?: number
    readonly meter: TextMeter
  },
): RuleDigest {
  const { maxSummaryTokens, preserveErrorDetails, tokensUsed = 0, meter } = options
  const lines = digestLines(dropped, { preserveErrorDetails })
  const version = (before?.version ?? 0) + 1
  const updates = before?.updates ?? []
  const folded: RuleDigest = {
    version,
    items: (before?.items ?? 0) + lines.length,
    messages: (before?.messages ?? 0) + dropped.messages.length,
    tokensUsed: (before?.tokensUsed ?? 0) + tokensUsed,
    withoutTools:
      before?.withoutTools !== false &&
      dropped.messages.every(isSpokenText) &&
      lines.every(({ by }) => by !== 'tool'),
    updates: lines.length === 0 ? updates : [...updates, { version, lines }],
    condensed: before?.condensed ?? [],
  }
  return condenseDigest(folded, maxSummaryTokens, meter)
}

/** The narrative as tool lines; messages before `from` are described elsewhere. */
export type RenderToolLines = (
  from: Seq,
  line: Seq,
  maxTokens: number,
) => Promise<{ readonly text: string; readonly digest: DigestedTo }>

export function toolLinesRenderer(
  log: Pick<LogReader, 'read'>,
  /** The digest of the previous view; null if it belongs to a different history. */
  before: DigestedTo | null,
  { errorDetails }: Extract<Narrative, { style: 'tool-lines' }>,
  meter: TextMeter,
): RenderToolLines {
  return async (from, line, limitTokens) => {
    // The heading before the block counts too.
    const maxTokens = Math.max(0, limitTokens - meter.text(`${digestHeading}\n`))
    // The digest restarts if the line moved back or a summary covers the beginning.
    const known = before !== null && before.to <= line && from === 0 ? before : null
    const firstSeq = Math.max(known?.to ?? from, line - defaults.historyMessageLimit)
    const read = await Array.fromAsync(readPages(log, { from: firstSeq, to: line }))
    const messages = read.filter((message) => !isRemoved(message))
    const options = { maxSummaryTokens: maxTokens, preserveErrorDetails: errorDetails, meter }
    const digest =
      known !== null && messages.length === 0
        ? known.digest
        : foldDigest(known?.digest ?? null, { messages, calls: new Map() }, options)
    return { text: digestText(digest, maxTokens, meter), digest: { to: line, digest } }
  }
}
