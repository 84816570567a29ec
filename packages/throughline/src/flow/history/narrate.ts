/**
 * Describes messages before the line by rules (no LLM). The newest user messages are quoted whole,
 * older ones by their first words; replies and tool uses get a line each, newest first.
 */
import type { Seq } from '../../domain/ids.ts'
import type { MessageDigest, MessageFacts } from '../../domain/ledger.ts'
import type { View } from '../../domain/view.ts'
import { oneLine } from '../../extract/one-line.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { cutText } from '../text/excerpt.ts'
import type { HistoryFacts } from './extract-facts.ts'
import type { HistoryLimits } from './history-limits.ts'
import { rootOf } from './merge-files.ts'

interface DigestLine extends MessageDigest {
  readonly seq: Seq
}

export interface NarrateOptions {
  /** The room for the user's words, and for everything else. */
  readonly userTextCharacters: number
  /** The part of the user's room that only recent messages may use. */
  readonly recentCharacters?: number
  readonly otherCharacters: number
  /** The folder of most files; the ledger names it once. */
  readonly root: string
  readonly shown: ReadonlySet<Seq>
  /** Replies and tool uses before it are described elsewhere. */
  readonly othersFrom?: Seq
  /** The user's words before it are quoted elsewhere. */
  readonly usersFrom?: Seq
  readonly isQuoted?: (words: string) => boolean
}

type Rows = AsyncIterable<MessageFacts> | Iterable<MessageFacts>

/** A line that begins with an anchor. */
export interface AnchoredLine {
  readonly seq: Seq
  readonly text: string
}

/** `rowsBefore` yields rows newest first. */
export async function narrate(
  rowsBefore: (before: Seq, trust?: 'user') => Rows,
  line: Seq,
  options: NarrateOptions,
) {
  const { userTextCharacters, recentCharacters = 0, otherCharacters, root } = options
  const { othersFrom = 0, usersFrom = 0 } = options
  const openings = await planOpenings(rowsBefore(line, 'user'), options)
  let openingsLeft = openings.count
  const rendered: DigestLine[] = []
  const whole = new Set<Seq>()
  const charactersLeft = { user: userTextCharacters, other: otherCharacters }
  const userCharactersLeft = (seq: Seq) =>
    charactersLeft.user - (seq < line - recentMessages ? recentCharacters : 0)
  // A long pasted text must leave room for the other messages.
  const maxUserCharacters = Math.max(maxCharacters.user, userTextCharacters / 2)
  // A repeated text is quoted once, from its newest message.
  const seen = new Set<string>()
  let hasClientSummary = false
  let quotesAll = true
  let mentionsAll = true
  const render = ({ seq, digest }: MessageFacts) => {
    if (digest === null || isElsewhere({ seq, digest }, options)) return
    const { by } = digest
    // The newest summary of the client replaces its older ones.
    if (by === 'summary' && hasClientSummary) return
    if (by === 'summary') hasClientSummary = true
    const group = by === 'user' ? 'user' : 'other'
    const frameCharacters = frameOf(seq, by).length + separatorCharacters
    const words = wordsOf(digest, root)
    if (by === 'user') openingsLeft = Math.max(0, openingsLeft - 1)
    // Older messages keep room for their first words.
    const reserved = group === 'user' ? openingsLeft * openings.characters : 0
    const left = group === 'user' ? Math.max(0, userCharactersLeft(seq)) : charactersLeft.other
    const free = Math.max(left - reserved, Math.min(left, openings.characters))
    const max = by === 'user' ? maxUserCharacters : maxCharacters[by]
    const cut = by === 'summary' ? cutSentences : cutText
    const characters = Math.min(free - frameCharacters, max)
    const cutWords = characters < minLineCharacters ? '' : cut(words, characters)
    const about = digest.about === undefined ? '' : ` [${digest.about}]`
    const hasRoom = cutWords !== '' && cutWords.length + about.length <= characters
    const text = hasRoom ? `${cutWords}${about}` : cutWords
    if (by === 'user') {
      if (seen.has(words)) {
        whole.add(seq)
        return
      }
      seen.add(words)
      if (cutWords === words) whole.add(seq)
      else quotesAll = false
    }
    if (text === '') {
      if (by === 'user' && seq >= othersFrom) mentionsAll = false
      return
    }
    rendered.push({ seq, by, text })
    charactersLeft[group] -= text.length + frameCharacters
  }
  let rows = 0
  let reachedTo = line
  for await (const row of rowsBefore(line)) {
    if (rows >= maxRows || charactersLeft.other < minCharactersLeft || row.seq < othersFrom) break
    rows += 1
    reachedTo = row.seq
    render(row)
  }
  for await (const row of rowsBefore(reachedTo, 'user')) {
    if (row.seq < usersFrom) break
    if (rows >= maxRows || userCharactersLeft(row.seq) < openingCharacters.min) {
      quotesAll = false
      if (row.seq >= othersFrom) mentionsAll = false
      break
    }
    rows += 1
    render(row)
  }
  rendered.reverse()
  const requests = rendered.filter(({ by }) => by === 'user')
  const others = rendered.filter(({ by }) => by !== 'user')
  return {
    requests,
    others: joinToolUses(others).join('\n'),
    described: others.length,
    /** User messages that are quoted whole. */
    whole,
    /** Whether all user messages are quoted whole. */
    quotesAll,
    /** Whether each user message has at least its first words. */
    mentionsAll,
    /** How many of the quoted messages no summary covers. */
    uncoveredQuotes: requests.filter(({ seq }) => seq >= othersFrom).length,
  }
}

export function joinedLines(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}

export function requestLines(requests: readonly AnchoredLine[]): string {
  return requests.map(({ seq, text }) => `${frameOf(seq, 'user')}${text}`).join('\n')
}

/** The room for the anchor and first words of a message; less where messages are many. */
const openingCharacters = { min: 36, max: 52 }
/** The most that first words of older messages take from the newest, which are quoted whole. */
const maxOpeningsShare = 0.75

/** How many user messages no summary covers, up to those that have room, and the room for each. */
async function planOpenings(rows: Rows, options: NarrateOptions) {
  const { userTextCharacters, recentCharacters = 0, othersFrom = 0, usersFrom = 0 } = options
  const characters = (userTextCharacters - recentCharacters) * maxOpeningsShare
  const maxCount = Math.floor(characters / openingCharacters.min)
  let [count, read] = [0, 0]
  for await (const { seq, digest } of rows) {
    const isFull = count >= maxCount || read >= maxCount * 2 + silentRows
    if (isFull || seq < Math.max(othersFrom, usersFrom)) break
    read += 1
    if (digest !== null && !isElsewhere({ seq, digest }, options)) count += 1
  }
  const each = Math.floor(characters / Math.max(1, count))
  return { count, characters: Math.min(openingCharacters.max, each) }
}

// User messages without a line are few, so this many more rows are read.
const silentRows = 32

function isElsewhere(
  { seq, digest }: { readonly seq: Seq; readonly digest: MessageDigest },
  { shown, usersFrom = 0, isQuoted = () => false }: NarrateOptions,
): boolean {
  if (shown.has(seq)) return true
  return digest.by === 'user' && (seq < usersFrom || isQuoted(digest.text))
}

// What the user typed in these messages before the line is most likely still to be done.
const recentMessages = 200
const minCharactersLeft = 40
const minLineCharacters = 12
// Older words of the user are only in the ledger.
const maxRows = 4_000
const maxCharacters = { user: 4_000, assistant: 400, tool: 240, summary: 3_000 } as const

/** Prose that is cut within a sentence may say the opposite. */
function cutSentences(text: string, characters: number): string {
  if (text.length <= characters) return text
  const start = text.slice(0, characters)
  const end = Math.max(...['. ', '! ', '? '].map((mark) => start.lastIndexOf(mark)))
  return end < 0 ? '' : start.slice(0, end + 1)
}

/** Only the user's words keep line breaks: a line of tool output could imitate an anchor. */
function wordsOf({ by, text }: MessageDigest, root: string): string {
  if (by === 'user') return text
  return oneLine(root === '' ? text : text.split(root).join(''))
}

function frameOf(seq: Seq, by: DigestLine['by']): string {
  if (by === 'user') return `#${seq}: `
  if (by === 'summary') return `#${seq} the client's own summary: `
  return by === 'tool' ? `#${seq} ` : `#${seq} ${by}: `
}

const toolSeparator = ' · '
// The longer of the two separators; the other is a line break.
const separatorCharacters = toolSeparator.length

/** Consecutive tool uses share a line. */
function joinToolUses(lines: readonly DigestLine[]): readonly string[] {
  const texts: string[] = []
  let before: DigestLine['by'] | null = null
  for (const { seq, by, text } of lines) {
    const line = `${frameOf(seq, by)}${text}`
    if (by === 'tool' && before === 'tool') texts.push(`${texts.pop()}${toolSeparator}${line}`)
    else texts.push(line)
    before = by
  }
  return texts
}

type Narrated = Awaited<ReturnType<typeof narrate>>

export interface Chronicle extends Pick<Narrated, 'requests' | 'others' | 'described' | 'whole'> {
  /** Whether some of the user's words are cut or missing. */
  readonly isCut: boolean
  /** The room left for binding sentences of older messages, which the ledger has. */
  readonly rulesTokens: number
}

export const noChronicle: Chronicle = {
  requests: [],
  others: '',
  described: 0,
  whole: new Set(),
  isCut: false,
  rulesTokens: 0,
}

const charactersPerToken = 3.6
const maxRecentShare = 0.4
const rulesShare = 0.5

export async function renderChronicle(
  facts: HistoryFacts,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  limits: HistoryLimits,
  meter: Pick<Meter, 'text'>,
  /** Replies and tool uses before it are described elsewhere. */
  othersFrom: Seq,
  isQuoted?: NarrateOptions['isQuoted'],
): Promise<Chronicle> {
  const root = rootOf(facts.ledger.entries)
  const shown = new Set(keeps)
  const otherTokens = Math.max(0, limits.summaryTokens)
  const recentShare = (tokens: number) =>
    Math.min(maxRecentShare, limits.recentUserTextTokens / Math.max(1, tokens))
  const narrateWith = (userTextTokens: number) =>
    withinTokens(userTextTokens + otherTokens, charactersPerToken, meter, async (characters) => {
      const share = userTextTokens / Math.max(1, userTextTokens + otherTokens)
      const narrated = await narrate(facts.rowsBefore, line, {
        userTextCharacters: characters * share,
        recentCharacters: characters * share * recentShare(userTextTokens),
        otherCharacters: characters * (1 - share),
        root,
        shown,
        othersFrom,
        usersFrom: limits.repeatsUserText ? 0 : othersFrom,
        ...(isQuoted !== undefined && { isQuoted }),
      })
      return { ...narrated, text: joinedLines(requestLines(narrated.requests), narrated.others) }
    })
  const plannedTokens = Math.max(0, limits.userTextTokens)
  const planned = await narrateWith(plannedTokens)
  // Recall takes no room from first words, as long as every message can have them.
  const { userOpeningsTokens } = limits
  const larger = planned?.mentionsAll === false ? await narrateWith(userOpeningsTokens) : null
  const [narrated, userTextTokens] = larger?.mentionsAll
    ? [larger, userOpeningsTokens]
    : [planned, plannedTokens]
  if (narrated === null) return { ...noChronicle, isCut: true }
  // Where not all of the user's words fit, older rules need room too.
  const hasLedger = limits.ledgerTokens > 0
  const rulesTokens =
    narrated.quotesAll || !hasLedger
      ? 0
      : Math.floor(userTextTokens * (1 - recentShare(userTextTokens)) * rulesShare)
  const withRules = rulesTokens === 0 ? null : await narrateWith(userTextTokens - rulesTokens)
  // Messages that a summary covers are not quoted again.
  const isPartial = othersFrom > 0 && !limits.repeatsUserText
  // A message without a line would be lost; an anchor at least lets the model open it.
  return withRules === null || withRules.uncoveredQuotes < narrated.uncoveredQuotes
    ? { ...narrated, isCut: isPartial || !narrated.quotesAll, rulesTokens: 0 }
    : { ...withRules, isCut: isPartial || !withRules.quotesAll, rulesTokens }
}
