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

export interface NarrateLimits {
  readonly characters: number
  /** Of it, at most so much for what users said, and for everything else. */
  readonly saidCharacters: number
  readonly otherCharacters: number
}

/** The rows are newest first, and are asked for only as far as there is room. */
export async function narrate(
  newestFirst: AsyncIterable<MessageFacts> | Iterable<MessageFacts>,
  limits: NarrateLimits,
): Promise<string> {
  const told: DigestLine[] = []
  const left = { user: limits.saidCharacters, other: limits.otherCharacters }
  for await (const { seq, digest } of newestFirst) {
    if (left.user <= frameCharacters && left.other <= frameCharacters) break
    if (digest === null) continue
    const of = digest.by === 'user' ? 'user' : 'other'
    const text = shortened(digest.text, Math.min(left[of] - frameCharacters, mostOf[digest.by]))
    if (text === '') continue
    told.push({ seq, by: digest.by, text })
    left[of] -= text.length + frameCharacters
  }
  return grouped(told.reverse()).join('\n')
}

// "#1234 user: " and the end of the line.
const frameCharacters = 16
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
