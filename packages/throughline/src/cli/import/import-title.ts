/** What a conversation is called that has no title: the first words that a person typed in it. */
import type { MessageInput } from '../../domain/message-input.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'

const titleLength = 80

export function titleFrom(messages: readonly MessageInput[]): string | null {
  const users = messages.filter(({ role }) => role === 'user')
  const typed = [...users.filter(isTyped), ...users].map(textOf)
  // Tools put settings and notes of their own before what was typed, in marks or under headings.
  const own =
    typed.find((text) => text !== '' && !/^[<#[{]/.test(text)) ?? typed.find((text) => text)
  if (own === undefined) return null
  const line = redactSecrets(own.slice(0, 2_000))
    .text.replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line.length <= titleLength) return line.toWellFormed() || null
  const cut = line.slice(0, titleLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), titleLength / 2)).trimEnd()}…`.toWellFormed()
}

/** Tools mark some of what they say in the place of the user. */
function isTyped({ meta }: MessageInput): boolean {
  return meta?.['isMeta'] !== true && meta?.['compactSummary'] !== true
}

function textOf({ content }: MessageInput): string {
  if (typeof content === 'string') return content.trim()
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.join(' ').trim()
}
