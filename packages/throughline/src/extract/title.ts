/** A title is derived text: without secrets, and it goes when its message is edited, removed or purged. */
import type { JsonObject } from '../domain/json.ts'
import { redactSecrets } from './redact-secrets.ts'
import { boundaryBefore } from './text-cuts.ts'

/** A message as far as titles go; also one that is not in a log yet. */
export interface TitledMessage {
  readonly role: string
  readonly meta?: JsonObject | null | undefined
  readonly content: string | readonly { readonly type: string; readonly text?: unknown }[]
}

/** The first words of a message without secrets, in one line; null where it has none. See `titleSource`. */
export function titleOf(message: TitledMessage): string | null {
  // A secret is recognised by its end too, so the cut comes after redaction.
  const line = lineOf(redactSecrets(contentText(message).slice(0, readCharacters)).text)
  if (line.length <= titleCharacters) return line || null
  const cut = line.slice(0, boundaryBefore(line, titleCharacters))
  const words = cut.slice(
    0,
    cut.lastIndexOf(' ') > titleCharacters / 2 ? cut.lastIndexOf(' ') : undefined,
  )
  return `${words.trimEnd()}…`
}

const titleCharacters = 80
const readCharacters = 64_000

/**
 * The message that a conversation is named after: the first words that a person typed. Tools put
 * settings and notes of their own before these, under a mark, in tags or below headings.
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
    const rank = rankOf(message)
    if (rank === null || (best !== null && rank >= best.rank)) continue
    if (rank === 0) return message
    best = { message, rank }
  }
  return best?.message ?? null
}

/** The lower the better; null where it cannot be one. */
function rankOf(message: TitledMessage): number | null {
  const text = message.role === 'user' ? contentText(message) : ''
  if (text === '') return null
  const isTyped = message.meta?.['isMeta'] !== true && message.meta?.['compactSummary'] !== true
  return (/^[<#[{]/.test(text) ? 2 : 0) + (isTyped ? 0 : 1)
}

function contentText({ content }: TitledMessage): string {
  if (typeof content === 'string') return content.trim()
  const texts = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  return texts.join(' ').trim()
}

function lineOf(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
