/**
 * The narrative by rules: the conversation before the line in lines, oldest first. What
 * users said stands word for word as far as its cap goes; what was done and concluded fills
 * the rest, the newest first.
 */
import type { MessageDigest, MessageFacts } from '../../domain/fact.ts'
import type { Seq } from '../../domain/ids.ts'
import { cutText } from '../text/cut-text.ts'
import { oneLine } from '../text/one-line.ts'

interface DigestLine extends MessageDigest {
  readonly seq: Seq
}

export interface Narrating {
  /** At most so much for what users said, and for everything else. */
  readonly saidCharacters: number
  readonly otherCharacters: number
  /** The folder that most files lie in, which is named once, beside. */
  readonly root: string
  /** Places of messages that are shown themselves. */
  readonly shown: ReadonlySet<Seq>
  /** What others than users said and did before it is told elsewhere. */
  readonly othersFrom?: Seq
}

export interface Narrated {
  readonly text: string
  /** Messages of users that are told word for word. */
  readonly whole: ReadonlySet<Seq>
  /** Everything that users said is. */
  readonly saysAll: boolean
}

/** Rows before a place, newest first; of users alone where that is asked for. */
export type RowsBefore = (before: Seq, trust?: 'user') => Rows
type Rows = AsyncIterable<MessageFacts> | Iterable<MessageFacts>

/** Rows are asked for only as far as there is room, and those of tools no farther than theirs goes. */
export async function narrate(
  rowsBefore: RowsBefore,
  line: Seq,
  { saidCharacters, otherCharacters, root, shown, othersFrom = 0 }: Narrating,
): Promise<Narrated> {
  const told: DigestLine[] = []
  const whole = new Set<Seq>()
  const left = { user: saidCharacters, other: otherCharacters }
  // What somebody pasted does not drive out everything that was typed.
  const most = { ...mostOf, user: Math.max(mostOf.user, saidCharacters / 2) }
  // Who says the same again and again is told once, by the newest.
  const said = new Set<string>()
  let saysAll = true
  const tell = ({ seq, digest }: MessageFacts) => {
    if (digest === null || shown.has(seq)) return
    const { by } = digest
    const of = by === 'user' ? 'user' : 'other'
    const frame = frameOf(seq, by).length + betweenCharacters
    const room = Math.min(left[of] - frame, most[by])
    const words = wordsOf(digest, root)
    const text = room < leastOfLine ? '' : cutText(words, room)
    if (by === 'user') {
      if (said.has(words)) {
        whole.add(seq)
        return
      }
      said.add(words)
      if (text === words) whole.add(seq)
      else saysAll = false
    }
    if (text === '') return
    told.push({ seq, by, text })
    left[of] -= text.length + frame
  }
  let rows = 0
  let at = line
  for await (const row of rowsBefore(line)) {
    if (rows >= rowsMax || left.other < leastCharacters || row.seq < othersFrom) break
    rows += 1
    at = row.seq
    tell(row)
  }
  for await (const row of rowsBefore(at, 'user')) {
    if (rows >= rowsMax || left.user < leastCharacters) {
      saysAll = false
      break
    }
    rows += 1
    tell(row)
  }
  return { text: grouped(told.reverse()).join('\n'), whole, saysAll }
}

const leastCharacters = 40
const leastOfLine = 12
// What users said longer ago than that is in the ledger.
const rowsMax = 4_000
const mostOf: Readonly<Record<DigestLine['by'], number>> = {
  user: 4_000,
  assistant: 400,
  tool: 240,
}

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
