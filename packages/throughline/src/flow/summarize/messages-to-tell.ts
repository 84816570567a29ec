/**
 * The messages that a summary is to tell, without their secrets, with the calls that they answer.
 * Of a pin a model is told its place alone: it stands beside the summary, word for word, and
 * nobody is to tell it otherwise.
 */
import { defaults } from '../../defaults.ts'
import type { KnownCalls, Message, TextPart, ToolCallPart } from '../../domain/message.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { Span } from '../../domain/span.ts'
import type { ToldMessage } from '../../ports/summary-style.ts'
import type { LogReader } from '../read/readers.ts'
import { redactedOnce } from '../redact/redacted-message.ts'
import { textPart } from '../text/sanitize-message.ts'

export interface MessagesToTell {
  readonly messages: readonly ToldMessage[]
  readonly calls: KnownCalls
  /** As they stand in the log. */
  readonly originals: readonly Message[]
}

/** The oldest first, and no more than a summary is made from at once. */
export async function messagesToTell(
  log: Pick<LogReader, 'read' | 'pins'>,
  { from, to }: Span,
): Promise<MessagesToTell> {
  const end = Math.min(to, from + defaults.summaryMessages.value)
  const originals: Message[] = []
  for (let at = from; at < end; at += defaults.pageMessages.value)
    originals.push(
      ...(await log.read({ from: at, to: Math.min(end, at + defaults.pageMessages.value) }, [])),
    )
  const pinned = new Set(log.pins)
  const messages = originals
    .filter((message) => !isRemoved(message))
    .map(
      (message): ToldMessage => ({
        ...message,
        ...(pinned.has(message.seq)
          ? { parts: [pinNote(message)] }
          : redactedOnce(message).message),
      }),
    )
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  return {
    messages,
    calls: new Map<string, ToolCallPart>(calls.map((call) => [call.callId, call])),
    originals,
  }
}

function pinNote({ seq }: Message): TextPart {
  return textPart(`[#${seq} is pinned: it stands beside the summary, word for word]`)
}
