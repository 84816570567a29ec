/**
 * Recalled messages as people read them: those that hold what was searched for, each with its own
 * place. A stretch that was recalled may be a whole short conversation, and the answer one line of it.
 */
import type { Message } from '../../domain/message.ts'
import { redactedOnce } from '../../flow/redact/redacted-message.ts'
import { messageText } from '../../flow/text/message-text.ts'
import type { Output } from '../world.ts'
import { messageHeading } from './message-lines.ts'
import { counted } from './numbers.ts'
import { paintOf } from './paint.ts'
import { recalledLines } from './recalled-lines.ts'
import { type SearchedWords, worths } from './searched-words.ts'

export function recalledMessages(
  messages: readonly Message[],
  words: SearchedWords,
  output: Output,
): readonly string[] {
  const read = messages.map((message) => ({ message, text: searchedText(message) }))
  const worth = worths(read.map(({ text }) => words.in(text)))
  const shown = chosen(messages, worth)
  const left = messages.length - shown.length
  return [
    ...read.flatMap(({ message, text }, place) =>
      shown.includes(place)
        ? [
            messageHeading(message, { pinned: false }, output),
            ...recalledLines(text, words, output).map((line) => `  ${line}`.trimEnd()),
          ]
        : [],
    ),
    ...(left === 0 ? [] : [leftLine(left, messages, output)]),
  ]
}

const messagesShown = 3

/** As it is searched: without secrets, and without what a model thought to itself. */
function searchedText(message: Message): string {
  const { parts } = redactedOnce(message).message
  return messageText({
    parts: parts.filter(({ type }) => type !== 'reasoning'),
    marks: message.marks,
  })
}

/**
 * The places of the best, in order. Where only a user has said the words, also what was answered:
 * whoever asks for something again wants the answer. Where none has them, it was found by who said
 * it, or when, and the first stands for it.
 */
function chosen(messages: readonly Message[], worth: readonly number[]): readonly number[] {
  const best = worth.reduce((most, each) => Math.max(most, each), 0)
  const ranked = messages
    .map((_, place) => place)
    .filter((place) => (worth[place] ?? 0) > 0 && (worth[place] ?? 0) >= best / 2)
    .sort((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0) || one - other)
    .slice(0, messagesShown)
    .sort((one, other) => one - other)
  const [first = 0, second] = ranked
  if (ranked.length === 0) return [0]
  const isAsked = second === undefined && messages[first]?.role === 'user'
  return isAsked && messages[first + 1] !== undefined ? [first, first + 1] : ranked
}

function leftLine(left: number, messages: readonly Message[], output: Output): string {
  const [first, last] = [messages[0]?.seq, messages.at(-1)?.seq]
  return paintOf(output).dim(`  ${counted(left, 'more message')} of #${first}-#${last}: --full`)
}
