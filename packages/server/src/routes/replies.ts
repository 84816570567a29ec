/** A reply of the model that the settings name: for the chat of the inspector, and for programs without tools. */
import type { Context, ContextMessage, ConversationHandle, LanguageModel } from 'throughline'
import { messageText } from 'throughline/toolkit'
import * as v from 'valibot'
import { Refusal } from '../problem.ts'
import { type Call, route } from '../route.ts'

const body = v.strictObject({
  content: v.pipe(v.string(), v.minLength(1)),
  system: v.optional(v.string()),
})

export const replyRoutes = [
  route({
    method: 'POST',
    path: '/v1/conversations/{conversation}/replies',
    operation: 'reply',
    summary:
      'Appends a message of a person, asks the chat model of the server with the next context, and appends its reply. Tool calls in the context are text.',
    status: 201,
    creates: true,
    body,
    answer: v.looseObject({
      text: v.string(),
      finish: v.string(),
      seq: v.number(),
      fingerprint: v.string(),
      tokens: v.number(),
    }),
    run: async ({ chat, chatModel, body: { content, system }, signal, request }) => {
      if (chatModel === null) throw new Refusal('CHAT_OFF')
      // In the log before the model is asked: a failure loses no words.
      const key = keyOf(request)
      await chat.append({ role: 'user', content, ...(key !== null && { key }) })
      return { body: await replyOf(chat, chatModel, system, signal) }
    },
  }),
]

function keyOf({ headers }: Call<unknown, unknown>['request']): string | null {
  const key = headers.get('idempotency-key')
  return key === null ? null : `reply:${key}`
}

async function replyOf(
  chat: ConversationHandle,
  model: LanguageModel,
  system: string | undefined,
  signal: AbortSignal,
) {
  const context = await chat.context({ model: model.id, system, signal })
  const { fingerprint, tokens } = context
  const outcome = await model.generate(requestOf(context), { signal })
  signal.throwIfAborted()
  if (outcome.kind === 'failed') throw new Refusal('CHAT_FAILED', outcome.failure.message)
  const { text, finish, usage } = outcome
  if (text === '') throw new Refusal('CHAT_FAILED', 'the model answered without text')
  const status = finish === 'length' ? 'incomplete' : 'complete'
  const { head } = await chat.append(
    { role: 'assistant', content: text, status },
    usage === null ? {} : { of: fingerprint, usage },
  )
  return { text, finish, seq: head - 1, fingerprint, tokens }
}

function requestOf({ system, messages, budget }: Context) {
  const merged: { role: 'user' | 'assistant'; content: string }[] = []
  for (const message of messages) {
    const [role, text] = [roleOf(message), textOf(message)]
    if (text === '') continue
    const last = merged.at(-1)
    // Providers expect the two roles in turn.
    if (last?.role === role) last.content += `\n\n${text}`
    else merged.push({ role, content: text })
  }
  return {
    system: system.length === 0 ? null : system.map(({ text }) => text).join('\n\n'),
    messages: merged,
    maxOutputTokens: Math.max(256, budget.reserveTokens),
    temperature: 0.7,
    schema: null,
  }
}

/** A result is marked as one, so that it does not read as words of the person. */
function textOf({ role, parts }: ContextMessage): string {
  const text = messageText({ parts, marks: [] })
  return role === 'tool' ? `[result of a tool]\n${text}` : text
}

function roleOf({ role }: ContextMessage): 'user' | 'assistant' {
  return role === 'assistant' ? 'assistant' : 'user'
}
