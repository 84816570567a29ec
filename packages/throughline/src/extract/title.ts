/** Derives titles from messages, without secrets. A rewrite of the message removes its title. */
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
 * The message that names a conversation: the first one that a person typed. Tools put settings and
 * notes before it, with a flag in `meta`, in tags or below headings.
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

/** Lower is better; null where the message cannot give a title. */
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
