/** Searches a conversation (`recall`), and prints messages by number (`expand`). */
import { isThroughlineError } from '../../errors.ts'
import {
  type Conversation,
  type ExpandedPiece,
  type FoundBy,
  type Message,
  origins,
  type RecalledPiece,
  type Span,
} from '../../index.ts'
import { storedMessages } from '../../toolkit/index.ts'
import { type Arguments, commandOn, type Run } from '../command.ts'
import { failWith, UsageError } from '../exit-result.ts'
import { withHandle } from '../find-conversation.ts'
import { indented, wrap } from '../screen/cells.ts'
import { heading } from '../screen/labelled.ts'
import {
  messageHeading,
  recalledLines,
  recalledMessages,
  type SearchedWords,
  searchedWords,
} from '../screen/message-lines.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { readableText } from '../screen/readable-text.ts'
import { safeLine, safeText } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'

export const recall: Run = (args, world) =>
  withHandle(args, world, { allowsReadOnly: true }, async ({ chat, conversation, rest, store }) => {
    const query = rest.join(' ')
    if (query.trim() === '') throw new UsageError('what should be found? Add words to search for')
    const origin = args.choice('origin', origins)
    const options = { limit: piecesShown, ...limitsIn(args), ...(origin !== null && { origin }) }
    const { pieces, unsearched } = await chat.recall(query, options)
    const note = unsearched === null ? [] : [unsearchedLine(unsearched, conversation)]
    if (pieces.length === 0) {
      const id = safeLine(conversation.id)
      return failWith('NOT_FOUND', [`no message of ${id} matches "${query}"`, ...note].join('; '))
    }
    const { stdout } = world
    const words = args.has('full') ? null : searchedWords(query)
    const whole = (range: string) => commandOn(conversation.id, 'expand', world, ` ${range}`)
    const linesOf = async (piece: RecalledPiece): Promise<readonly string[]> => {
      const { kind, span } = piece
      if (kind !== 'messages') return derivedLines(piece, words, stdout)
      const around = { from: Math.max(0, span.from - 1), to: span.to + 1 }
      const messages = await Array.fromAsync(storedMessages(store, conversation, around))
      if (words !== null) return ['', ...recalledMessages(messages, span, words, stdout, whole)]
      const found = messages.filter(({ seq }) => seq >= span.from && seq < span.to)
      // A piece of one long message is shown alone, not with the rest of the message.
      const length = found.reduce((sum, each) => sum + readableText(each).length, 0)
      return length > 2 * piece.text.length
        ? ['', styleOf(stdout).bold(piece.anchor), ...wholeLines(piece.text, stdout)]
        : found.flatMap((each) => ['', ...wholeMessage(each, stdout)])
    }
    const withReason = async (piece: RecalledPiece) => [
      ...(await linesOf(piece)),
      ...indented(wrap(foundByText(piece.foundBy), stdout.width - 2)).map(styleOf(stdout).dim),
    ]
    const shown = args.json ? [] : await Promise.all(pieces.map(withReason))
    const linesBy = (kind: RecalledPiece['kind'], title: readonly string[] = []) => {
      const lines = shown.filter((_, index) => pieces[index]?.kind === kind).flat()
      return lines.length === 0 ? [] : [...title, ...lines]
    }
    return {
      json: { conversation: conversation.id, query, pieces, unsearched },
      lines: () => [
        heading(conversation, stdout),
        ...linesBy('entry', ['', 'from the ledger:']),
        ...linesBy('summary', ['', 'from a summary:']),
        ...linesBy('messages'),
        ...note.flatMap((line) => ['', ...wrap(line, stdout.width)]),
      ],
    }
  })

const piecesShown = 5

/** `found by "port", the name "import.toml" and meaning (0.82)` */
function foundByText({ words, names, neighbours, meaning }: FoundBy): string {
  const quoted = (found: readonly string[]) => found.map((each) => `"${safeLine(each)}"`).join(', ')
  const reasons = [
    ...(words.length === 0 ? [] : [quoted(words)]),
    ...(names.length === 0 ? [] : [`names with ${quoted(names)}`]),
    ...(neighbours.length === 0 ? [] : [`its neighbours ${neighbours.join(', ')}`]),
    ...(meaning === null ? [] : [`meaning (${meaning.toFixed(2)})`]),
  ]
  return `found by ${reasons.join('; ')}`
}

function wholeMessage(message: Message, output: Output): readonly string[] {
  return [messageHeading(message, output), ...wholeLines(readableText(message), output)]
}

function unsearchedLine({ from, to }: Span, { head }: Conversation): string {
  const places = to === from + 1 ? `#${from}` : `#${from}-#${to - 1}`
  const searched = `searched ${grouped(head - (to - from))} of ${counted(head, 'message')}`
  return `${searched}; ${places} are still being indexed, so search again later`
}

function derivedLines(
  { anchor, text }: RecalledPiece,
  words: SearchedWords | null,
  output: Output,
): readonly string[] {
  // An entry already begins or ends with its place.
  const bare = text.startsWith(`${anchor}:`) ? text.slice(anchor.length + 1) : text
  const line = `${anchor} ${bare.endsWith(` ${anchor}`) ? bare.slice(0, -anchor.length - 1) : bare}`
  return words === null ? wholeLines(line, output) : recalledLines(line, words, output)
}

export const expand: Run = (args, world) =>
  withHandle(args, world, { allowsReadOnly: true }, async ({ chat, conversation, rest }) => {
    const anchor = anchorIn(rest)
    const page = await chat.expand(anchor, limitsIn(args)).catch((error: unknown) => {
      if (!isThroughlineError(error) || error.code !== 'SPAN_INVALID') throw error
      throw new UsageError(`invalid message number "${anchor}"; use 12, 3-17 or "3, 17-19"`)
    })
    const { id, head } = conversation
    if (page === null)
      return failWith('NOT_FOUND', `no message at ${anchor}; the last message is #${head - 1}`)
    const { pieces, messages, next } = page
    const more = commandOn(id, 'expand', world, ` "${next}"`)
    const lines = () => [
      ...pieces.flatMap((piece) => ['', ...expandedLines(piece, messages, world.stdout)]).slice(1),
      ...(next === null ? [] : ['', styleOf(world.stdout).dim(`More: ${more}`)]),
    ]
    return { json: { conversation: id, ...page }, lines }
  })

function limitsIn(args: Arguments): { readonly limit?: number; readonly tokens?: number } {
  const [limit, tokens] = [args.number('limit'), args.number('tokens')]
  return { ...(limit !== null && { limit }), ...(tokens !== null && { tokens }) }
}

function expandedLines(
  { seq, character, text }: ExpandedPiece,
  messages: readonly Message[],
  output: Output,
): readonly string[] {
  const message = messages.find((each) => each.seq === seq)
  const from = character === 0 ? '' : ` from character ${character} on`
  return [
    ...(message === undefined ? [] : [`${messageHeading(message, output)}${from}`]),
    ...wholeLines(text, output),
  ]
}

/** `3, 17-19` means `#3, #17-#19`. */
function anchorIn(words: readonly string[]): string {
  const text = words.join(' ').trim()
  if (text === '') throw new UsageError('which message? Give a number such as 12 or 3-17')
  if (/^[0-9a-f]{32}$/.test(text)) return text
  return text.replace(/(^|[,;\s])(?=\d)/g, '$1#')
}

function wholeLines(text: string, output: Output): readonly string[] {
  return indented(wrap(safeText(text).trimEnd(), output.width - 2))
}
