/**
 * Describes replies and tool uses before the line in a line each, by rules: the state of the work in as much
 * room as there is.
 */
import type { Seq } from '../../domain/ids.ts'
import type { MessageFacts, MessageLine } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { cutText } from '../text/excerpt.ts'

interface NarrativeLine extends MessageLine {
  readonly seq: Seq
  readonly by: Exclude<MessageLine['by'], 'user'>
}

export type Rows = AsyncIterable<MessageFacts> | Iterable<MessageFacts>

export interface DescribeOptions {
  readonly characters: number
  /** The folder of most files; the ledger names it once. */
  readonly root: string
  readonly shown: ReadonlySet<Seq>
  /** Messages before it are described elsewhere. */
  readonly from?: Seq
}

/**
 * Describes replies and tool uses. The rows are newest first, from before the line. How each request of the
 * user ended shows most of the state of the work; then come the newest replies, then the newest uses of tools.
 */
export async function describeReplies(rows: Rows, options: DescribeOptions) {
  const { characters, root } = options
  const rated = await rateLines(rows, options)
  let charactersLeft = characters
  const lines: NarrativeLine[] = []
  const add = ({ seq, by, text }: NarrativeLine, maxRoom: number) => {
    const frame = frameOf(seq, by).length + separatorCharacters
    const room = Math.min(charactersLeft - frame, maxRoom)
    const words = oneLine(root === '' ? text : text.split(root).join(''))
    const cut = by === 'summary' ? cutSentences : cutText
    const shown = room < minLineCharacters ? '' : cut(words, room)
    if (shown === '') return
    lines.push({ seq, by, text: shown })
    charactersLeft -= shown.length + frame
  }
  const { closing, replies, uses } = rated
  // In a few lines, only the newest messages are worth one.
  const isShort = characters < minStateCharacters
  const others = isShort
    ? [...closing, ...replies, ...uses].sort(newestFirst)
    : [...replies, ...uses]
  for (const line of isShort ? [] : closing) {
    if (charactersLeft < characters * (1 - maxClosingShare)) break
    add(line, maxClosing)
  }
  for (const line of others) {
    if (charactersLeft < minCharactersLeft) break
    add(line, maxCharacters[line.by])
  }
  lines.sort(newestFirst).reverse()
  return { text: joinToolUses(lines).join('\n'), described: lines.length }
}

function newestFirst(one: NarrativeLine, other: NarrativeLine): number {
  return other.seq - one.seq
}

const minStateCharacters = 400
/** The last replies before messages of the user may have a third of the room. */
const maxClosingShare = 0.34
const maxClosing = 160
/** Earlier turns are not searched for their last replies. */
const maxClosingRows = 480

/** Newest first: the last reply of each turn, the other replies, and the uses of tools. */
async function rateLines(rows: Rows, { characters, shown, from = 0 }: DescribeOptions) {
  const closing: NarrativeLine[] = []
  const replies: NarrativeLine[] = []
  const uses: NarrativeLine[] = []
  let [read, found, closed] = [0, 0, 0]
  let hasClientSummary = false
  let isBeforeUser = false
  for await (const { seq, digest } of rows) {
    const isFull = found >= characters && (closed >= characters || read >= maxClosingRows)
    if (read >= maxRows || isFull || seq < from) break
    read += 1
    if (digest === null) continue
    const { by, text } = digest
    const isClosing = by === 'assistant' && isBeforeUser
    isBeforeUser = by === 'user'
    if (by === 'user' || shown.has(seq)) continue
    // The newest summary of the client replaces its older ones.
    if (by === 'summary' && hasClientSummary) continue
    if (by === 'summary') hasClientSummary = true
    if (isClosing) closed += Math.min(text.length, maxClosing) / maxClosingShare
    else if (found >= characters) continue
    else found += text.length
    const group = isClosing ? closing : by === 'tool' ? uses : replies
    group.push({ seq, by, text })
  }
  return { closing, replies, uses }
}

// Older replies are only in the ledger.
const maxRows = 4_000
const minCharactersLeft = 40
/** A shorter part of a message says nothing. */
export const minLineCharacters = 12
const maxCharacters = { assistant: 400, tool: 240, summary: 3_000 } as const

/** Prose that is cut within a sentence may say the opposite. */
function cutSentences(text: string, characters: number): string {
  if (text.length <= characters) return text
  const start = text.slice(0, characters)
  const end = Math.max(...['. ', '! ', '? '].map((mark) => start.lastIndexOf(mark)))
  return end < 0 ? '' : start.slice(0, end + 1)
}

export function frameOf(seq: Seq, by: MessageLine['by']): string {
  if (by === 'user') return `#${seq}: `
  if (by === 'summary') return `#${seq} the client's own summary: `
  return by === 'tool' ? `#${seq} ` : `#${seq} ${by}: `
}

const toolSeparator = ' · '
// The longer of the two separators; the other is a line break.
export const separatorCharacters = toolSeparator.length

/** Consecutive tool uses share a line. */
function joinToolUses(lines: readonly NarrativeLine[]): readonly string[] {
  const texts: string[] = []
  let before: NarrativeLine['by'] | null = null
  for (const { seq, by, text } of lines) {
    const line = `${frameOf(seq, by)}${text}`
    if (by === 'tool' && before === 'tool') texts.push(`${texts.pop()}${toolSeparator}${line}`)
    else texts.push(line)
    before = by
  }
  return texts
}
