/** Renders a message for people: number, author, time and text, cut to a number of lines. */
import { type Message, originOf, type Span } from '../../index.ts'
import { messageText, searchedTerms, termsOf } from '../../toolkit/index.ts'
import type { Output } from '../world.ts'
import { indented, wrap } from './cells.ts'
import { counted, momentOf } from './numbers.ts'
import { readableText } from './readable-text.ts'
import { safeLine, safeText } from './safe-text.ts'
import { styleOf } from './style.ts'

/** `most`: lines of text; null for all. */
export function messageLines(
  message: Message,
  { most, pinned }: Readonly<{ most: number | null; pinned: boolean }>,
  output: Output,
): readonly string[] {
  const { lines } = firstLines(messageText(message), most, output)
  return [messageHeading(message, output, pinned ? ['pinned'] : []), ...lines]
}

export function messageHeading(message: Message, output: Output, marks: readonly string[] = []) {
  const { bold, dim, dot, ...paint } = styleOf(output)
  const { seq, author, createdAt, status } = message
  const colour = paint[roleColours[message.role]]
  const speaker = colour(author === null ? message.role : safeLine(author))
  const cut = status === 'incomplete' ? ['cut off'] : []
  const notes = [momentOf(createdAt), ...otherOrigin(message), ...marks, ...cut]
  return `${bold(`#${seq}`)} ${speaker} ${dim(notes.join(` ${dot} `))}`
}

/** Clients send text of their own as the user; other roles say whose words they contain. */
export function otherOrigin(message: Parameters<typeof originOf>[0]): readonly string[] {
  const origin = originOf(message)
  return origin === usualOrigins[message.role] ? [] : [`from the ${origin}`]
}

const usualOrigins = {
  ...{ user: 'person', assistant: 'model', tool: 'tool', system: 'developer' },
} as const

/** Indents the first `most` lines, or all for null. A model's own cuts have another mark: `…`. */
export function firstLines(text: string, most: number | null, output: Output) {
  const width = output.width - 2
  // Text far beyond what is shown is not measured.
  const looked = most === null ? text : text.slice(0, most * width * 4)
  const all = wrap(safeText(looked).trimEnd(), width)
  const lines = all.slice(0, most ?? all.length)
  const isCut = lines.length < all.length || looked.length < text.length
  const left = Math.max(1, text.length - lines.join(' ').length)
  const mark = styleOf(output).dim(`[+${counted(left, 'character')}; --full]`)
  return { lines: indented(isCut ? [...lines, mark] : lines), isCut }
}

const roleColours = { user: 'cyan', assistant: 'green', tool: 'yellow', system: 'magenta' } as const

/** The messages with the searched words: a result may be long, and the answer one line of it. */
export function recalledMessages(
  around: readonly Message[],
  { from, to }: Span,
  words: SearchedWords,
  output: Output,
  expand: (range: string) => string,
): readonly string[] {
  const matches = (message: Message) => words.in(readableText(message)).size > 0
  const inside = around.filter(({ seq }) => seq >= from && seq < to)
  // The search also weighs the neighbours of a message: the match may be one of them.
  const beside = inside.some(matches) ? [] : around.filter(matches)
  const messages = around.filter((each) => inside.includes(each) || beside.includes(each))
  const texts = messages.map(readableText)
  const shown = bestMessages(messages, worths(texts, words))
  const left = messages.length - shown.length
  const command = expand(`${messages[0]?.seq}-${messages.at(-1)?.seq}`)
  const note = `${counted(left, 'more message')} near it: ${command}`
  return [
    ...shown.flatMap((place) => {
      const message = messages[place]
      if (message === undefined) return []
      const lines = recalledLines(texts[place] ?? '', words, output)
      return [messageHeading(message, output), ...lines]
    }),
    ...(left === 0 ? [] : wrap(note, output.width).map(styleOf(output).dim)),
  ]
}

const messagesShown = 3

/**
 * Indexes of the best messages, in order. If only a user message has the words, its answer is added. If
 * no message has them, the search matched an author or a time: then the first message.
 */
function bestMessages(messages: readonly Message[], worth: readonly number[]): readonly number[] {
  const all = ranking(worth)
  const best = worth[all[0] ?? 0] ?? 0
  const ranked = all
    .filter((place) => (worth[place] ?? 0) >= best / 2)
    .slice(0, messagesShown)
    .sort((one, other) => one - other)
  const [first = 0, second] = ranked
  if (ranked.length === 0) return [0]
  const isAsked = second === undefined && messages[first]?.role === 'user'
  return isAsked && messages[first + 1] !== undefined ? [first, first + 1] : ranked
}

/** Lines with the searched words and neighbours of the best: the answer may be at the end of a result. */
export function recalledLines(text: string, words: SearchedWords, output: Output) {
  const { bold, dim, more } = styleOf(output)
  const lines = wrap(safeText(text).trimEnd(), output.width - 2)
  const shown =
    lines.length <= linesShown ? lines.map((_, place) => place) : bestLines(lines, words)
  const painted = shown.flatMap((place, index) => [
    ...(place > (shown[index - 1] ?? -1) + 1 ? [dim(more)] : []),
    words.marked(lines[place] ?? '', bold),
  ])
  const isCut = (shown.at(-1) ?? lines.length) < lines.length - 1
  return indented(isCut ? [...painted, dim(more)] : painted)
}

const linesShown = 4

/** In order; the first lines if none has a word. */
function bestLines(lines: readonly string[], words: SearchedWords): readonly number[] {
  const ranked = ranking(worths(lines, words))
  const [best = 0] = ranked
  const beside = [best, best + 1, best - 1].filter((place) => lines[place]?.trim())
  const places = new Set([...ranked.slice(0, linesShown - 2), ...beside, ...ranked])
  return [...places].slice(0, linesShown).sort((one, other) => one - other)
}

/** The words of a search, found as the search finds them, so that marked words are those that matched. */
export interface SearchedWords {
  in(text: string): ReadonlySet<string>
  marked(text: string, paint: (word: string) => string): string
}

export function searchedWords(query: string): SearchedWords {
  const wanted = new Set(searchedTerms(query))
  const found = (text: string) => new Set(termsOf(text).filter((term) => wanted.has(term)))
  return {
    in: found,
    marked: (text, paint) =>
      text.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => (found(word).size > 0 ? paint(word) : word)),
  }
}

/** The fewer texts have a word, the more it counts. */
function worths(texts: readonly string[], words: SearchedWords): readonly number[] {
  const found = texts.map(words.in)
  const holders = new Map<string, number>()
  for (const each of found) for (const word of each) holders.set(word, (holders.get(word) ?? 0) + 1)
  const worthOf = (word: string) => Math.log(1 + found.length / (holders.get(word) ?? 1))
  return found.map((each) => [...each].reduce((sum, word) => sum + worthOf(word), 0))
}

/** Places with any worth, the best first. */
function ranking(worth: readonly number[]): readonly number[] {
  const places = [...worth.keys()].filter((place) => (worth[place] ?? 0) > 0)
  return places.sort((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0) || one - other)
}
