/**
 * The narrative by rules: the conversation before the line in lines, oldest first. What
 * users said stands word for word as far as its cap goes; what was done and concluded fills
 * the rest, the newest first.
 */
import type { MessageDigest, MessageFacts } from '../domain/fact.ts'
import type { Seq } from '../domain/ids.ts'

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
}

/** The rows are newest first, and are asked for only as far as there is room. */
export async function narrate(
  newestFirst: AsyncIterable<MessageFacts> | Iterable<MessageFacts>,
  { saidCharacters, otherCharacters, root, shown }: Narrating,
): Promise<string> {
  const told: DigestLine[] = []
  const left = { user: saidCharacters, other: otherCharacters }
  let rows = 0
  for await (const { seq, digest } of newestFirst) {
    rows += 1
    if (rows > rowsMax || (left.user < leastCharacters && left.other < leastCharacters)) break
    if (digest === null || shown.has(seq)) continue
    const of = digest.by === 'user' ? 'user' : 'other'
    const whole = of === 'user' || root === '' ? digest.text : digest.text.replaceAll(root, '')
    const text = shortened(whole, Math.min(left[of] - frameCharacters, mostOf[digest.by]))
    if (text === '') continue
    told.push({ seq, by: digest.by, text })
    left[of] -= text.length + frameCharacters
  }
  return grouped(told.reverse()).join('\n')
}

// "#1234 user: " and the end of the line.
const frameCharacters = 16
const leastCharacters = 40
// What users said longer ago than that is in the ledger.
const rowsMax = 10_000
const mostOf: Readonly<Record<DigestLine['by'], number>> = {
  user: 4_000,
  assistant: 400,
  tool: 240,
}

function shortened(text: string, characters: number): string {
  if (characters < 12) return ''
  return text.length <= characters ? text : `${text.slice(0, characters - 2).toWellFormed()} …`
}

/** What tools did between two words is one line. */
function grouped(lines: readonly DigestLine[]): readonly string[] {
  const texts: string[] = []
  let before: DigestLine['by'] | null = null
  for (const { seq, by, text } of lines) {
    if (by === 'tool' && before === 'tool') texts.push(`${texts.pop()} · #${seq} ${text}`)
    else texts.push(by === 'tool' ? `#${seq} ${text}` : `#${seq} ${by}: ${text}`)
    before = by
  }
  return texts
}
