/** Renders a context as one text for the caller's own prompts, in the form of the policy `rolling-rows`. */
import type { Context } from '../../domain/context.ts'
import { blockText } from '../../domain/data-block.ts'
import { textOf } from '../../domain/message.ts'

const heading = '## CONVERSATION HISTORY (for context only - do NOT respond to these)'
const ending = '(End of conversation history)'
const nothing = '(No prior messages in this conversation)'

/**
 * The history before the newest message of the user.
 *
 * @example
 * const prompt = `${historyText(context)}\n\nUser: And the invoice?`
 */
export function historyText({ messages }: Pick<Context, 'messages'>): string {
  const summaries = messages
    .filter(({ slot }) => slot === 'summary')
    .map(({ parts }) => blockText(textOf(parts)))
  const shown = messages.filter(
    ({ seq, slot, role }) => seq !== null && slot !== 'current' && role !== 'system',
  )
  const lines = shown.flatMap(({ role, parts }) => {
    const text = textOf(parts)
    return text === '' ? [] : [`[PAST] ${names[role]}: ${text}`]
  })
  if (summaries.length === 0 && lines.length === 0) return nothing
  return [
    ...summaries.map((text) => `${text}\n`),
    ...(lines.length === 0 ? [] : [heading, ...lines, ending]),
  ].join('\n')
}

const names = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const
