/** Renders a rule digest as text. With less room, counters replace older lines. */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Narrative } from '../../domain/policy.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type {
  DigestCount,
  DigestedTo,
  DigestLine,
  DigestUpdate,
  RuleDigest,
} from '../../domain/view.ts'
import { type ErrorDetails, formatFacts } from '../../extract/describe-tool-use.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { type LogReader, readPages } from '../read/readers.ts'
import { type DroppedMessages, digestLines, omittedMark, summaryHeader } from './digest-lines.ts'

/** At most `mostTokens`; empty if even the note about the omission does not fit. */
export function digestText(
  digest: RuleDigest,
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  if (mostTokens < defaults.summaryLeastTokens.value)
    return meter.text(omittedMark) <= mostTokens ? omittedMark : ''
  const text = written(condensedTo(digest, mostTokens, meter), mostTokens, meter)
  return fitToTokens(text, mostTokens, meter)
}

function condensedTo(
  digest: RuleDigest,
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): RuleDigest {
  const lines = digest.updates.flatMap((update) => update.lines)
  const costs = lines.map(() => 0)
  let from = Math.max(0, lines.length - linesMax)
  let left = mostTokens - meter.text(summaryHeader(digest.items))
  for (let at = lines.length - 1; at >= from; at -= 1) {
    costs[at] = meter.text(`${lines[at]?.text ?? ''}\n`)
    left -= costs[at] ?? 0
    if (left < 0) from = at + 1
  }
  for (;;) {
    const condensed = withoutOldest(digest, lines, from)
    const over = meter.text(written(condensed, mostTokens, meter)) - mostTokens
    if (over <= 0 || from >= lines.length) return condensed
    // Drops at least one line, and as many as their costs say.
    let gone = 0
    do gone += costs[from++] ?? 0
    while (gone < over && from < lines.length)
  }
}

/** A limit also for a meter that counts every text as 0. */
const linesMax = 400

function withoutOldest(digest: RuleDigest, lines: readonly DigestLine[], from: number): RuleDigest {
  if (from === 0) return digest
  let before = 0
  const updates = digest.updates.flatMap((update): readonly DigestUpdate[] => {
    const kept = update.lines.slice(Math.max(0, from - before))
    before += update.lines.length
    return kept.length === 0 ? [] : [{ ...update, lines: kept }]
  })
  return { ...digest, updates, condensed: condenseLines(digest.condensed, lines.slice(0, from)) }
}

// Counters use the room that the lines leave, or this share if lines were dropped.
const countsShare = 0.4

function written(digest: RuleDigest, mostTokens: number, meter: Pick<Meter, 'text'>): string {
  const rest = mostTokens - meter.text(withCounts(digest, ''))
  const share = mostTokens * countsShare
  const wide = withCounts(digest, countsText(digest.condensed, Math.max(rest, share), meter))
  // Joined texts may have more tokens than their parts have.
  if (rest <= share || meter.text(wide) <= mostTokens) return wide
  return withCounts(digest, countsText(digest.condensed, share, meter))
}

function withCounts({ items, updates }: RuleDigest, counts: string): string {
  const header = summaryHeader(items)
  const top = counts === '' ? header : `${header}\n${counts}`
  return updates.reduce((before, { version, lines }) => {
    const text = lines.map((line) => line.text).join('\n')
    // The first update needs no heading if it follows the header directly.
    if (version === 1 && counts === '') return `${before}\n${text}`
    return `${before}\n\n[Update ${version}]\n${text}`
  }, top)
}

/** With less room, counter lines show fewer subjects, then are merged; no count is lost. */
const heading = '[Condensed history]'
/** Subjects per line, for people and for tools; those of people stay longest. */
const levels = [
  [3, 3],
  [3, 2],
  [2, 1],
  [1, 0],
  [0, 0],
] as const

/** Empty if nothing is counted. */
function countsText(
  counts: readonly DigestCount[],
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  if (counts.length === 0) return ''
  let shown = ordered(counts)
  for (;;) {
    let text = ''
    for (const [people, tools] of levels) {
      const lines = shown.map((count) => countLine(count, count.by === 'tool' ? tools : people))
      text = [heading, ...lines].join('\n')
      if (meter.text(text) <= mostTokens) return text
    }
    const fewer = withOneLess(shown)
    if (fewer === null) return text
    shown = fewer
  }
}

const voices = ['user', 'assistant', 'tool'] as const

function ordered(counts: readonly DigestCount[]): readonly DigestCount[] {
  return voices.flatMap((voice) =>
    counts
      .filter(({ by }) => by === voice)
      .toSorted((left, right) => right.count - left.count || (left.tool < right.tool ? -1 : 1)),
  )
}

function withOneLess(counts: readonly DigestCount[]): readonly DigestCount[] | null {
  const people = counts.filter(({ by }) => by !== 'tool')
  const tools = counts.filter(({ by }) => by === 'tool')
  if (tools.length < 2) return null
  return [...people, ...tools.slice(0, -2), mergedCounts(tools.slice(-2))]
}

function countLine(
  { by, tool, count, failed, first, newest }: DigestCount,
  subjects: number,
): string {
  const shown = subjects === 0 ? [] : newest.slice(-subjects).reverse()
  const begins = subjects === 0 || first === '' || shown.includes(first) ? [] : [`First: ${first}`]
  const inVain = failed === 0 ? '' : `, ${failed} failed`
  return formatFacts(`${by === 'tool' ? tool : by} ×${count}${inVain}`, [...begins, ...shown])
}

const newestSubjects = 3
// More tools than that become one line: a list of all of them would grow with the conversation.
const toolsMax = 12
/** Differs from every tool name, because it contains a space. */
const others = 'other tools'

function condenseLines(
  before: readonly DigestCount[],
  lines: readonly DigestLine[],
): readonly DigestCount[] {
  if (lines.length === 0) return before
  const counts = new Map(before.map((count) => [`${count.by} ${count.tool}`, count]))
  for (const { by, tool, subject, failed } of lines) {
    const key = `${by} ${tool}`
    const known = counts.get(key)
    counts.delete(key)
    counts.set(key, {
      by,
      tool,
      count: (known?.count ?? 0) + 1,
      failed: (known?.failed ?? 0) + (failed ? 1 : 0),
      first: known?.first ?? (by === 'user' ? subject : ''),
      newest: newestOf([...(known?.newest ?? []), subject]),
    })
  }
  return withFewTools([...counts.values()])
}

function newestOf(subjects: readonly string[]): readonly string[] {
  const newestFirst = subjects.filter((subject) => subject !== '').reverse()
  return [...new Set(newestFirst)].slice(0, newestSubjects).reverse()
}

function withFewTools(counts: readonly DigestCount[]): readonly DigestCount[] {
  const tools = counts.filter(({ by, tool }) => by === 'tool' && tool !== others)
  if (tools.length <= toolsMax) return counts
  const merged = new Set(tools.slice(0, tools.length - toolsMax))
  const isMerged = (count: DigestCount) => count.tool === others || merged.has(count)
  return [mergedCounts(counts.filter(isMerged)), ...counts.filter((count) => !isMerged(count))]
}

function mergedCounts(counts: readonly DigestCount[]): DigestCount {
  const sum = (of: 'count' | 'failed') => counts.reduce((all, count) => all + count[of], 0)
  const newest = newestOf(counts.flatMap((count) => count.newest))
  const all = { count: sum('count'), failed: sum('failed') }
  return { by: 'tool', tool: others, ...all, first: '', newest }
}

/** Folds messages into a rule digest: lines without room become counters. */
export function foldDigest(
  before: RuleDigest | null,
  dropped: DroppedMessages,
  options: ErrorDetails & {
    readonly maxSummaryTokens: number
    /** Tokens that a model used for this update; rules use none. */
    readonly tokensUsed?: number
    readonly meter: Pick<Meter, 'text'>
  },
): RuleDigest {
  const { maxSummaryTokens, preserveErrorDetails, tokensUsed = 0, meter } = options
  const known = before ?? nothing
  const version = known.version + 1
  const lines = digestLines(dropped, { preserveErrorDetails })
  const folded: RuleDigest = {
    version,
    items: known.items + lines.length,
    messages: known.messages + dropped.messages.length,
    tokensUsed: known.tokensUsed + tokensUsed,
    updates: lines.length === 0 ? known.updates : [...known.updates, { version, lines }],
    condensed: known.condensed,
  }
  return condensedTo(folded, maxSummaryTokens, meter)
}

const nothing: RuleDigest = {
  ...{ version: 0, items: 0, messages: 0, tokensUsed: 0 },
  ...{ updates: [], condensed: [] },
}

/** The narrative as tool lines; messages before `from` are described elsewhere. */
export type RenderToolLines = (
  from: Seq,
  line: Seq,
  mostTokens: number,
) => Promise<{ readonly text: string; readonly digest: DigestedTo }>

export function toolLinesRenderer(
  log: Pick<LogReader, 'read'>,
  /** Null if there is none, or if it belongs to a different history. */
  before: DigestedTo | null,
  { errorDetails }: Extract<Narrative, { style: 'tool-lines' }>,
  meter: Pick<Meter, 'text'>,
): RenderToolLines {
  return async (from, line, mostTokens) => {
    // The digest restarts if the line moved back or a summary covers the beginning.
    const known = before !== null && before.to <= line && from === 0 ? before : null
    const first = Math.max(known?.to ?? from, line - defaults.historyMessageLimit.value)
    const read = await Array.fromAsync(readPages(log, { from: first, to: line }))
    const messages = read.filter((message) => !isRemoved(message))
    const dropped = { messages, calls: new Map() }
    const options = { maxSummaryTokens: mostTokens, preserveErrorDetails: errorDetails, meter }
    const digest =
      known !== null && messages.length === 0
        ? known.digest
        : foldDigest(known?.digest ?? null, dropped, options)
    return { text: digestText(digest, mostTokens, meter), digest: { to: line, digest } }
  }
}
