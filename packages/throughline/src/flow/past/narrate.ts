/** The narrative by rules, oldest first: users' words up to their cap, then what was done, newest first. */
import type { Seq } from '../../domain/ids.ts'
import type { MessageDigest, MessageFacts } from '../../domain/ledger.ts'
import type { View } from '../../domain/view.ts'
import { oneLine } from '../../extract/one-line.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { cutText } from '../text/excerpt.ts'
import type { PastFacts } from './extract-facts.ts'
import { rootOf } from './merge-files.ts'
import type { PastLimits } from './past-limits.ts'

interface DigestLine extends MessageDigest {
  readonly seq: Seq
}

export interface Narrating {
  /** At most so much for what users said, and for everything else. */
  readonly saidCharacters: number
  readonly otherCharacters: number
  /** The folder that most files lie in, which is named once, beside. */
  readonly root: string
  readonly shown: ReadonlySet<Seq>
  /** What others than users said and did before it is described elsewhere. */
  readonly othersFrom?: Seq
  /** What users said before it is. */
  readonly usersFrom?: Seq
  readonly isQuoted?: (words: string) => boolean
}

type Rows = AsyncIterable<MessageFacts> | Iterable<MessageFacts>

/**
 * `rowsBefore` gives rows newest first. `whole`: user messages quoted in full; `saysAll`: all
 * are. `named`: how many
 * have only a line; `namesAll`: each message without a summary has one.
 */
export async function narrate(
  rowsBefore: (before: Seq, trust?: 'user') => Rows,
  line: Seq,
  narrating: Narrating,
) {
  const { saidCharacters, otherCharacters, root, othersFrom = 0, usersFrom = 0 } = narrating
  const names = await planNames(rowsBefore(line, 'user'), narrating)
  let unnamed = names.count
  const rendered: DigestLine[] = []
  const whole = new Set<Seq>()
  const left = { user: saidCharacters, other: otherCharacters }
  // What somebody pasted does not drive out everything that was typed.
  const most = { ...mostOf, user: Math.max(mostOf.user, saidCharacters / 2) }
  // What a user repeats is quoted once, by the newest.
  const quoted = new Set<string>()
  let saysAll = true
  let namesAll = true
  const render = ({ seq, digest }: MessageFacts) => {
    if (digest === null || isElsewhere({ seq, digest }, narrating)) return
    const { by } = digest
    const of = by === 'user' ? 'user' : 'other'
    const frame = frameOf(seq, by).length + betweenCharacters
    const words = wordsOf(digest, root)
    if (by === 'user') unnamed = Math.max(0, unnamed - 1)
    // The older ones keep enough for their names.
    const forNames = of === 'user' ? unnamed * names.each : 0
    const free = Math.max(left[of] - forNames, Math.min(left[of], names.each))
    const room = Math.min(free - frame, most[by])
    const text = room < leastOfLine ? '' : cutText(words, room)
    if (by === 'user') {
      if (quoted.has(words)) {
        whole.add(seq)
        return
      }
      quoted.add(words)
      if (text === words) whole.add(seq)
      else saysAll = false
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
      saysAll = false
      if (row.seq >= othersFrom) namesAll = false
      break
    }
    rows += 1
    render(row)
  }
  const lines = rendered.filter(({ seq, by }) => by === 'user' && seq >= othersFrom).length
  return { text: grouped(rendered.reverse()).join('\n'), whole, saysAll, namesAll, named: lines }
}

/** What a message has at least, its anchor and its first words: less where they are many. */
const named = { least: 36, most: 52 }
/** The newest are word for word; older ones have up to this much to be named by. */
const namedShare = 0.75

/** Messages of users that no summary covers, no more than there is room for, and what each has. */
async function planNames(rows: Rows, narrating: Narrating) {
  const { saidCharacters, othersFrom = 0, usersFrom = 0 } = narrating
  const characters = saidCharacters * namedShare
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

// Those that need no line are few.
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
// What users said longer ago than that is in the ledger.
const rowsMax = 4_000
const mostOf = { user: 4_000, assistant: 400, tool: 240 } as const

/** Only a user's words may have lines: a line of a tool could pass for one of the user. */
function wordsOf({ by, text }: MessageDigest, root: string): string {
  if (by === 'user') return text
  return oneLine(root === '' ? text : text.split(root).join(''))
}

function frameOf(seq: Seq, by: DigestLine['by']): string {
  return by === 'tool' ? `#${seq} ` : `#${seq} ${by}: `
}

const betweenTools = ' · '
// The longer of what joins two: that, and the end of a line.
const betweenCharacters = betweenTools.length

/** What tools did between two words is one line. */
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

export interface Chronicle extends Pick<Awaited<ReturnType<typeof narrate>>, 'text' | 'whole'> {
  /** For what users said longer ago that binds. */
  readonly rulesTokens: number
}

const charactersPerToken = 3.6
const rulesShare = 0.5

export async function renderChronicle(
  facts: PastFacts,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  limits: PastLimits,
  meter: Pick<Meter, 'text'>,
  /** What others than users said and did before it is described elsewhere. */
  othersFrom: Seq,
  isQuoted?: Narrating['isQuoted'],
): Promise<Chronicle> {
  const root = rootOf(facts.ledger.entries)
  const shown = new Set(keeps)
  const otherTokens = Math.max(0, limits.summaryTokens)
  const narrateWith = (saidTokens: number) =>
    withinTokens(saidTokens + otherTokens, charactersPerToken, meter, (characters) => {
      const share = saidTokens / Math.max(1, saidTokens + otherTokens)
      return narrate(facts.rowsBefore, line, {
        saidCharacters: characters * share,
        otherCharacters: characters * (1 - share),
        root,
        shown,
        othersFrom,
        usersFrom: limits.repeatsSaid ? 0 : othersFrom,
        ...(isQuoted !== undefined && { isQuoted }),
      })
    })
  const lessTokens = Math.max(0, limits.saidTokens)
  const less = await narrateWith(lessTokens)
  // What is recalled takes no room from names, as long as all messages can be named.
  const more = less?.namesAll === false ? await narrateWith(limits.namesTokens) : null
  const [narrated, saidTokens] = more?.namesAll ? [more, limits.namesTokens] : [less, lessTokens]
  if (narrated === null) return { text: '', whole: new Set(), rulesTokens: 0 }
  // Where not all of it can be quoted, rules of long ago need room too.
  const hasLedger = limits.ledgerTokens > 0
  const rulesTokens = narrated.saysAll || !hasLedger ? 0 : Math.floor(saidTokens * rulesShare)
  const fewer = rulesTokens === 0 ? null : await narrateWith(saidTokens - rulesTokens)
  // A message without a line would be lost; what binds in it can be opened by its anchor.
  if (fewer === null || fewer.named < narrated.named)
    return { text: narrated.text, whole: narrated.whole, rulesTokens: 0 }
  return { text: fewer.text, whole: fewer.whole, rulesTokens }
}
