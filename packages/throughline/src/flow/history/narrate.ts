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

export interface Narrating {
  /** The room for the user's words, and for everything else. */
  readonly userTextCharacters: number
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

/**
 * `rowsBefore` yields rows newest first. `whole`: user messages quoted in full; `quotesAll`: all of
 * them are. `quoted`: how many no summary covers; `namesAll`: each has at least its first words.
 */
export async function narrate(
  rowsBefore: (before: Seq, trust?: 'user') => Rows,
  line: Seq,
  narrating: Narrating,
) {
  const { userTextCharacters, otherCharacters, root, othersFrom = 0, usersFrom = 0 } = narrating
  const names = await planNames(rowsBefore(line, 'user'), narrating)
  let unnamed = names.count
  const rendered: DigestLine[] = []
  const whole = new Set<Seq>()
  const left = { user: userTextCharacters, other: otherCharacters }
  // A long pasted text must leave room for the other messages.
  const most = { ...mostOf, user: Math.max(mostOf.user, userTextCharacters / 2) }
  // A repeated text is quoted once, from its newest message.
  const seen = new Set<string>()
  let quotesAll = true
  let namesAll = true
  const render = ({ seq, digest }: MessageFacts) => {
    if (digest === null || isElsewhere({ seq, digest }, narrating)) return
    const { by } = digest
    const of = by === 'user' ? 'user' : 'other'
    const frame = frameOf(seq, by).length + betweenCharacters
    const words = wordsOf(digest, root)
    if (by === 'user') unnamed = Math.max(0, unnamed - 1)
    // Older messages keep room for their first words.
    const forNames = of === 'user' ? unnamed * names.each : 0
    const free = Math.max(left[of] - forNames, Math.min(left[of], names.each))
    const room = Math.min(free - frame, most[by])
    const text = room < leastOfLine ? '' : cutText(words, room)
    if (by === 'user') {
      if (seen.has(words)) {
        whole.add(seq)
        return
      }
      seen.add(words)
      if (text === words) whole.add(seq)
      else quotesAll = false
    }
    if (text === '') {
      if (by === 'user' && seq >= othersFrom) namesAll = false
      return
    }
    rendered.push({ seq, by, text })
    left[of] -= text.length + frame
  }
  let rows = 0
  let at = line
  for await (const row of rowsBefore(line)) {
    if (rows >= rowsMax || left.other < leastCharacters || row.seq < othersFrom) break
    rows += 1
    at = row.seq
    render(row)
  }
  for await (const row of rowsBefore(at, 'user')) {
    if (row.seq < usersFrom) break
    if (rows >= rowsMax || left.user < named.least) {
      quotesAll = false
      if (row.seq >= othersFrom) namesAll = false
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
    others: grouped(others).join('\n'),
    described: others.length,
    whole,
    quotesAll,
    namesAll,
    quoted: requests.filter(({ seq }) => seq >= othersFrom).length,
  }
}

export function joinedLines(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}

export function requestLines(requests: readonly AnchoredLine[]): string {
  return requests.map(({ seq, text }) => `${frameOf(seq, 'user')}${text}`).join('\n')
}

/** The room of a message that has only its anchor and first words; less where messages are many. */
const named = { least: 36, most: 52 }
/** The most that first words of older messages take from the newest, which are quoted whole. */
const namedShare = 0.75

/** How many user messages no summary covers, at most as many as find room, and the room of each. */
async function planNames(rows: Rows, narrating: Narrating) {
  const { userTextCharacters, othersFrom = 0, usersFrom = 0 } = narrating
  const characters = userTextCharacters * namedShare
  const most = Math.floor(characters / named.least)
  let [count, read] = [0, 0]
  for await (const { seq, digest } of rows) {
    if (seq < Math.max(othersFrom, usersFrom) || count >= most || read >= most * 2 + silentRows)
      break
    read += 1
    if (digest !== null && !isElsewhere({ seq, digest }, narrating)) count += 1
  }
  return { count, each: Math.min(named.most, Math.floor(characters / Math.max(1, count))) }
}

// Few messages need no line.
const silentRows = 32

function isElsewhere(
  { seq, digest }: { readonly seq: Seq; readonly digest: MessageDigest },
  { shown, usersFrom = 0, isQuoted = () => false }: Narrating,
): boolean {
  if (shown.has(seq)) return true
  return digest.by === 'user' && (seq < usersFrom || isQuoted(digest.text))
}

const leastCharacters = 40
const leastOfLine = 12
// Older words of the user are in the ledger.
const rowsMax = 4_000
const mostOf = { user: 4_000, assistant: 400, tool: 240 } as const

/** Only the user's words keep line breaks: a line of tool output could imitate an anchor. */
function wordsOf({ by, text }: MessageDigest, root: string): string {
  if (by === 'user') return text
  return oneLine(root === '' ? text : text.split(root).join(''))
}

function frameOf(seq: Seq, by: DigestLine['by']): string {
  if (by === 'user') return `#${seq}: `
  return by === 'tool' ? `#${seq} ` : `#${seq} ${by}: `
}

const betweenTools = ' · '
// The longer of the two separators; the other is a line break.
const betweenCharacters = betweenTools.length

/** Consecutive tool uses share a line. */
function grouped(lines: readonly DigestLine[]): readonly string[] {
  const texts: string[] = []
  let before: DigestLine['by'] | null = null
  for (const { seq, by, text } of lines) {
    const line = `${frameOf(seq, by)}${text}`
    if (by === 'tool' && before === 'tool') texts.push(`${texts.pop()}${betweenTools}${line}`)
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
  ...{ requests: [], others: '', described: 0, whole: new Set(), isCut: false, rulesTokens: 0 },
}

const charactersPerToken = 3.6
const rulesShare = 0.5

export async function renderChronicle(
  facts: HistoryFacts,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  limits: HistoryLimits,
  meter: Pick<Meter, 'text'>,
  /** Replies and tool uses before it are described elsewhere. */
  othersFrom: Seq,
  isQuoted?: Narrating['isQuoted'],
): Promise<Chronicle> {
  const root = rootOf(facts.ledger.entries)
  const shown = new Set(keeps)
  const otherTokens = Math.max(0, limits.summaryTokens)
  const narrateWith = (userTextTokens: number) =>
    withinTokens(userTextTokens + otherTokens, charactersPerToken, meter, async (characters) => {
      const share = userTextTokens / Math.max(1, userTextTokens + otherTokens)
      const narrated = await narrate(facts.rowsBefore, line, {
        userTextCharacters: characters * share,
        otherCharacters: characters * (1 - share),
        root,
        shown,
        othersFrom,
        usersFrom: limits.repeatsUserText ? 0 : othersFrom,
        ...(isQuoted !== undefined && { isQuoted }),
      })
      return { ...narrated, text: joinedLines(requestLines(narrated.requests), narrated.others) }
    })
  const lessTokens = Math.max(0, limits.userTextTokens)
  const less = await narrateWith(lessTokens)
  // Recall takes no room from first words, as long as every message can have them.
  const more = less?.namesAll === false ? await narrateWith(limits.namesTokens) : null
  const [narrated, userTextTokens] = more?.namesAll
    ? [more, limits.namesTokens]
    : [less, lessTokens]
  if (narrated === null) return { ...noChronicle, isCut: true }
  // Where not all of the user's words fit, older rules need room too.
  const hasLedger = limits.ledgerTokens > 0
  const rulesTokens = narrated.quotesAll || !hasLedger ? 0 : Math.floor(userTextTokens * rulesShare)
  const fewer = rulesTokens === 0 ? null : await narrateWith(userTextTokens - rulesTokens)
  // Messages that a summary covers are not quoted again.
  const isPart = othersFrom > 0 && !limits.repeatsUserText
  // A message without a line would be lost; an anchor at least lets the model open it.
  return fewer === null || fewer.quoted < narrated.quoted
    ? { ...narrated, isCut: isPart || !narrated.quotesAll, rulesTokens: 0 }
    : { ...fewer, isCut: isPart || !fewer.quotesAll, rulesTokens }
}
