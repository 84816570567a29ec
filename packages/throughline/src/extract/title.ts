/** Derives the title of a conversation from one of its messages, without secrets. */
import type { JsonObject } from '../domain/json.ts'
import { redactSecrets } from './redact-secrets.ts'
import { boundaryBefore } from './text-cuts.ts'

/** The fields of a message that a title needs; the message need not be in a log. */
export interface TitledMessage {
  readonly role: string
  readonly meta?: JsonObject | null | undefined
  readonly content: string | readonly { readonly type: string; readonly text?: unknown }[]
}

/** The first words of a message in one line, without secrets; null if empty. See `titleSource`. */
export function titleOf(message: TitledMessage): string | null {
  // Redaction needs the end of a secret too, so it comes before the cut.
  const text = redactSecrets(contentText(message).slice(0, readCharacters)).text
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line.length <= titleCharacters) return line || null
  const cut = line.slice(0, boundaryBefore(line, titleCharacters))
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > titleCharacters / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`
}

const titleCharacters = 80
const readCharacters = 64_000

/**
 * The message that names a conversation: the first one that a person typed. Clients write user
 * messages before it: settings and notes, with a flag in `meta`, in tags or below headings.
 *
 * @example
 * const named = titleSource(inputs)
 * console.log(named && titleOf(named))
 */
export function titleSource<Message extends TitledMessage>(
  messages: Iterable<Message>,
): Message | null {
  let best: { readonly message: Message; readonly rank: number } | null = null
  for (const message of messages) {
    const rank = titleRank(message)
    if (rank === null || (best !== null && rank >= best.rank)) continue
    if (rank === typedText) return message
    best = { message, rank }
  }
  return best?.message ?? null
}

/** Ranks of title sources, best first. */
const [typedText, flaggedText, typedMarkup, flaggedMarkup] = [0, 1, 2, 3]

/** Null where the message cannot give a title. */
function titleRank(message: TitledMessage): number | null {
  const text = message.role === 'user' ? contentText(message) : ''
  if (text === '') return null
  const isFlagged = message.meta?.['isMeta'] === true || message.meta?.['compactSummary'] === true
  if (/^[<#[{]/.test(text)) return isFlagged ? flaggedMarkup : typedMarkup
  return isFlagged ? flaggedText : typedText
}

function contentText({ content }: TitledMessage): string {
  if (typeof content === 'string') return content.trim()
  const texts = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  return texts.join(' ').trim()
}
