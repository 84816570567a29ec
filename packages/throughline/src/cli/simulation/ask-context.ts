/** Asks for a context, and tells a refusal that is right from one that is not. */
import { isThroughlineError } from '../../errors.ts'
import type {
  ContextInput,
  ContextMessage,
  ConversationHandle,
  Deliverable,
  ToolSchema,
} from '../../index.ts'
import { type Asked, formats, type Recount, type Report, sentOf } from './checks.ts'

/** Null where it failed and should not have. */
export async function askContext(
  chat: ConversationHandle,
  input: ContextInput,
  promptTokens: number,
  report: Report,
): Promise<Asked | 'impossible' | null> {
  try {
    const context = await chat.context(input)
    return { context, sent: sentOf(context) }
  } catch (error) {
    const overflows = isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW'
    // Only a prompt that is too large by itself, by our own count, is rightly refused.
    const available = overflows ? Number(error.details?.['availableTokens']) : Number.NaN
    if (promptTokens > available) return 'impossible'
    report(
      overflows ? 'overflow error' : 'other error',
      `system, tools and a note are ${promptTokens} tokens: ${error}`,
    )
    return null
  }
}

/** A note on what is not shown, and the newest message in short: with less nobody can go on. */
const leastSaid = [
  '[earlier messages of this conversation, #0 to #99, are not shown]',
  'so\n[… 100 characters left out; whole in #100 …]\non',
]

/** Of the least that can be asked with that prompt, in the format that takes the most. */
export function leastTokens(
  system: string,
  tools: readonly ToolSchema[],
  recount: Recount,
): number {
  const message = (text: string): ContextMessage => ({
    role: 'user',
    author: null,
    parts: [{ type: 'text', text, metadata: null }],
    meta: null,
    seq: null,
    slot: 'current',
  })
  const least: Deliverable = {
    system: [{ type: 'text', text: system, metadata: null }],
    tools,
    messages: leastSaid.map(message),
    files: new Map(),
    breakpoints: [],
  }
  const counts = formats.map((format) => {
    const request = format.write(least)
    return typeof request === 'string' ? 0 : recount.exact(request)
  })
  return Math.max(...counts)
}
