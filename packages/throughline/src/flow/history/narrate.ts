/**
 * Describes messages before the line by rules (no LLM). The newest user messages are quoted whole,
 * older ones by their first words; replies and tool uses get a line each.
 */
import type { Seq } from '../../domain/ids.ts'
import type { MessageLine } from '../../domain/ledger.ts'
import type { View } from '../../domain/view.ts'
import { oneLine } from '../../extract/one-line.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { cutText } from '../text/excerpt.ts'
import {
  describeReplies,
  frameOf,
  minLineCharacters,
  type Rows,
  separatorCharacters,
} from './describe-replies.ts'
import type { HistoryFacts } from './extract-facts.ts'
import type { HistoryLimits } from './history-limits.ts'
import { type LedgerParts, partsOf } from './ledger-parts.ts'
import { rootOf } from './merge-files.ts'
import { type AnchoredLine, listRules } from './render-rules.ts'

export interface QuoteOptions {
  readonly characters: number
  /** The part of the room that only recent messages may use. */
  readonly recentCharacters?: number
  readonly shown: ReadonlySet<Seq>
  /** Messages before it are described elsewhere, so that no line for them is missed. */
  readonly othersFrom?: Seq
  /** The user's words before it are quoted elsewhere. */
  readonly usersFrom?: Seq
  readonly isQuoted?: (words: string) => boolean
  /** Messages whose binding statements are listed, so that they need no first words. */
  readonly listed?: ReadonlySet<Seq>
  /** What short answers are about, by their message. */
  readonly notes?: ReadonlyMap<Seq, string>
}

/** Quotes the user's messages. The rows are theirs, newest first, from before the line. */
export async function quoteUser(rows: () => Rows, line: Seq, options: QuoteOptions) {
  const { characters, recentCharacters = 0, othersFrom = 0, usersFrom = 0 } = options
  const openings = await planOpenings(rows(), options)
  let openingsLeft = openings.count
  let charactersLeft = characters
  const roomAt = (seq: Seq) => charactersLeft - (seq < line - recentMessages ? recentCharacters : 0)
  // A long pasted text must leave room for the other messages.
  const maxQuote = Math.max(maxUserCharacters, characters * maxQuoteShare)
  // A repeated text is quoted once, from its newest message.
  const seen = new Set<string>()
  const requests: AnchoredLine[] = []
  const whole = new Set<Seq>()
  let quotesAll = true
  let mentionsAll = true
  let read = 0
  for await (const { seq, digest } of rows()) {
    if (seq < usersFrom) break
    if (read >= maxRows || roomAt(seq) < openingCharacters.min) {
      quotesAll = false
      if (seq >= othersFrom) mentionsAll = false
      break
    }
    read += 1
    if (digest?.by !== 'user' || isElsewhere({ seq, digest }, options)) continue
    if (options.listed?.has(seq) !== true) openingsLeft = Math.max(0, openingsLeft - 1)
    // Older messages keep room for their first words.
    const left = Math.max(0, roomAt(seq))
    const free = Math.max(
      left - openingsLeft * openings.characters,
      Math.min(left, openings.characters),
    )
    const frame = frameOf(seq, 'user').length + separatorCharacters
    const room = Math.min(free - frame, maxQuote)
    const words = digest.text
    const quote = room < minLineCharacters ? '' : cutText(words, room)
    const isListed = options.listed?.has(seq) === true && words.length <= maxListedMessage
    if (isListed && quote !== words && quote.length < minListedQuote) {
      quotesAll = false
      continue
    }
    if (seen.has(words) || quote === words) whole.add(seq)
    if (seen.has(words)) continue
    seen.add(words)
    if (quote !== words) quotesAll = false
    if (quote === '') {
      if (seq >= othersFrom) mentionsAll = false
      continue
    }
    const note = digest.about ?? options.notes?.get(seq)
    const about = note === undefined ? '' : ` [${note}]`
    const text = quote.length + about.length <= room ? `${quote}${about}` : quote
    requests.push({ seq, text })
    charactersLeft -= text.length + frame
  }
  requests.reverse()
  return {
    requests,
    text: requestLines(requests),
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

export function requestLines(requests: readonly AnchoredLine[]): string {
  return requests.map(({ seq, text }) => `${frameOf(seq, 'user')}${text}`).join('\n')
}

/** The room for the anchor and first words of a message; less where messages are many. */
const openingCharacters = { min: 48, max: 64 }
/** The most that first words of older messages take from the newest, which are quoted whole. */
const maxOpeningsShare = 0.75

/** How many user messages no summary covers, up to those that have room, and the room for each. */
async function planOpenings(rows: Rows, options: QuoteOptions) {
  const { recentCharacters = 0, othersFrom = 0, usersFrom = 0 } = options
  const characters = (options.characters - recentCharacters) * maxOpeningsShare
  const maxCount = Math.floor(characters / openingCharacters.min)
  let [count, read] = [0, 0]
  for await (const { seq, digest } of rows) {
    const isFull = count >= maxCount || read >= maxCount * 2 + silentRows
    if (isFull || seq < Math.max(othersFrom, usersFrom)) break
    read += 1
    if (digest === null || options.listed?.has(seq) === true) continue
    if (!isElsewhere({ seq, digest }, options)) count += 1
  }
  const each = Math.floor(characters / Math.max(1, count))
  return { count, characters: Math.min(openingCharacters.max, each) }
}

// User messages without a line are few, so this many more rows are read.
const silentRows = 32

function isElsewhere(
  { seq, digest }: { readonly seq: Seq; readonly digest: MessageLine },
  { shown, usersFrom = 0, isQuoted = () => false, notes }: QuoteOptions,
): boolean {
  // A kept message has no note on what it answers.
  const isShown = shown.has(seq) && notes?.has(seq) !== true
  return isShown || seq < usersFrom || isQuoted(digest.text)
}

// What the user typed in these messages before the line is most likely still to be done.
const recentMessages = 200
const maxQuoteShare = 0.75
// Of a message whose statements are listed, fewer words say nothing more.
const minListedQuote = 160
// The first words of a document say what its statements are about.
const maxListedMessage = 1_200
// Older words of the user are only in the ledger.
const maxRows = 4_000
const maxUserCharacters = 4_000

type Quoted = Awaited<ReturnType<typeof quoteUser>>

export interface Chronicle extends Pick<Quoted, 'requests' | 'whole'> {
  readonly others: string
  readonly described: number
  /** Whether some of the user's words are cut or missing. */
  readonly isCut: boolean
  /** Binding statements of messages that are not quoted whole. */
  readonly rules: readonly AnchoredLine[]
  /** How many statements of the ledger are listed, rules and others. */
  readonly listed: number
  /** How much of the ledger's room they take. */
  readonly rulesTokens: number
}

export const noChronicle: Chronicle = {
  requests: [],
  others: '',
  described: 0,
  whole: new Set(),
  isCut: false,
  rules: [],
  listed: 0,
  rulesTokens: 0,
}

const charactersPerToken = 3.6
const maxRecentShare = 0.4
/** What binding statements may take of the room for user text, and of the ledger's. */
const rulesShares = { userText: 0.5, ledger: 0.6 }

export interface ChronicleOptions extends Pick<QuoteOptions, 'isQuoted'> {
  readonly limits: HistoryLimits
  readonly meter: Pick<Meter, 'text'>
  /** Replies and tool uses before it are described elsewhere. */
  readonly othersFrom: Seq
  /** Messages that the context shows whole. */
  readonly shownWhole: ReadonlySet<Seq>
}

export async function renderChronicle(
  facts: HistoryFacts,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  { limits, meter, othersFrom, shownWhole, isQuoted }: ChronicleOptions,
): Promise<Chronicle> {
  const parts = partsOf(facts.ledger)
  const root = rootOf(parts.files)
  const shown = new Set(keeps)
  const { summaryTokens, userOpeningsTokens, repeatsUserText } = limits
  const replies = await withinTokens(summaryTokens, charactersPerToken, meter, (characters) =>
    describeReplies(facts.rowsBefore(line), { characters, root, shown, from: othersFrom }),
  )
  const { text: others = '', described = 0 } = replies ?? {}
  const recentShare = (tokens: number) =>
    Math.min(maxRecentShare, limits.recentUserTextTokens / Math.max(1, tokens))
  const notes = answerNotes(parts)
  const quoteWith = (tokens: number, listed: ReadonlySet<Seq> = new Set()) =>
    withinTokens(tokens, charactersPerToken, meter, (characters) =>
      quoteUser(() => facts.rowsBefore(line, 'user'), line, {
        characters,
        listed,
        notes,
        recentCharacters: characters * recentShare(tokens),
        shown,
        othersFrom,
        usersFrom: repeatsUserText ? 0 : othersFrom,
        ...(isQuoted !== undefined && { isQuoted }),
      }),
    )
  const plannedTokens = Math.max(0, limits.userTextTokens)
  const planned = await quoteWith(plannedTokens)
  // Recall takes no room from first words, as long as every message can have them.
  const larger = planned?.mentionsAll === false ? await quoteWith(userOpeningsTokens) : null
  const [quoted, tokens] = larger?.mentionsAll
    ? [larger, userOpeningsTokens]
    : [planned, plannedTokens]
  // Where not all of the user's words fit, older rules need room too.
  const hasLedger = limits.ledgerTokens > 0
  const userTokens = quoted?.quotesAll || !hasLedger ? 0 : Math.floor(tokens * rulesShares.userText)
  const ledgerTokens = Math.floor(limits.ledgerTokens * rulesShares.ledger)
  const first = userTokens === 0 ? quoted : await quoteWith(tokens - userTokens)
  const listWith = (whole: ReadonlySet<Seq> = new Set()) =>
    withinTokens(userTokens + ledgerTokens, charactersPerToken, meter, (characters) => {
      const isShown = (seq: Seq) => whole.has(seq) || shownWhole.has(seq)
      const otherCharacters = (characters * userTokens) / Math.max(1, userTokens + ledgerTokens)
      const lines = listRules(facts.ledger, { characters, otherCharacters, isShown })
      return { lines, text: requestLines(lines) }
    })
  const sizeOf = (lines: readonly AnchoredLine[]) =>
    lines.length === 0 ? 0 : meter.text(requestLines(lines)) + rulesFrameTokens
  const quoteBeside = async (lines: ReturnType<typeof listRules>) => {
    const listedTokens = sizeOf(lines)
    const places = new Set(lines.map(({ seq }) => seq))
    const leftTokens = tokens - listedTokens + Math.min(listedTokens, ledgerTokens)
    const rest = lines.length === 0 ? quoted : await quoteWith(leftTokens, places)
    const listed = withoutQuoted(lines, rest ?? noChronicle)
    return { listed, rulesTokens: Math.min(sizeOf(listed), ledgerTokens), rest }
  }
  const { lines } = (await listWith(first?.whole)) ?? noRules
  const beside = await quoteBeside(lines)
  // Statements that bind less are not worth the first words of other messages.
  const losesWords = quoted?.mentionsAll === true && beside.rest?.mentionsAll === false
  const { listed, rulesTokens, rest } = losesWords
    ? await quoteBeside(lines.filter(({ isFirm }) => isFirm))
    : beside
  const { requests, whole, quotesAll } = rest ?? { ...noChronicle, quotesAll: false }
  // Messages that a summary covers are not quoted again.
  const isPartial = othersFrom > 0 && !repeatsUserText
  return {
    requests: [...requests, ...listed.filter(({ isFirm }) => !isFirm)].sort(
      (one, other) => one.seq - other.seq,
    ),
    rules: listed.filter(({ isFirm }) => isFirm),
    ...{ whole, others, described, rulesTokens, listed: listed.length },
    isCut: isPartial || !quotesAll,
  }
}

const noRules = { lines: [], text: '' }

/** A message that is cut still quotes some of its statements. */
function withoutQuoted<Line extends AnchoredLine>(
  lines: readonly Line[],
  { requests, whole }: Pick<Chronicle, 'requests' | 'whole'>,
): readonly Line[] {
  const quotes = new Map(requests.map(({ seq, text }) => [seq, oneLine(text)]))
  return lines.filter(({ seq, text }) => !whole.has(seq) && !quotes.get(seq)?.includes(text))
}

/** The headings of the list and of the quotes after it. */
const rulesFrameTokens = 32

/** What short answers are about: the ledger has it in brackets after the answer. */
function answerNotes({ byUser }: LedgerParts): ReadonlyMap<Seq, string> {
  const notes = new Map<Seq, string>()
  for (const { label, sources } of byUser) {
    // Few have it, and this search is the faster one.
    if (!label.includes(answerStart)) continue
    const at = label.lastIndexOf(answerStart)
    for (const seq of sources) notes.set(seq, label.slice(at + 2, -1))
  }
  return notes
}

const answerStart = ' [answer to: '
