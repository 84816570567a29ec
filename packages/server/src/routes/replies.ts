/** A reply of the model that the settings name: for the chat of the inspector, and for programs without tools. */
import type { Context, ContextMessage, ConversationHandle, LanguageModel } from 'throughline'
import { messageText } from 'throughline/toolkit'
import * as v from 'valibot'
import { problemOf, Refusal } from '../problem.ts'
import { type Call, route } from '../route.ts'

const body = v.strictObject({
  content: v.pipe(v.string(), v.minLength(1)),
  system: v.optional(v.string()),
})

const one = '/v1/conversations/{conversation}'

export const replyRoutes = [
  route({
    method: 'POST',
    path: `${one}/replies`,
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
      return { body: await replyOf(chat, { model: chatModel, system, signal }) }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/replies/stream`,
    operation: 'streamReply',
    summary:
      'The same, as server-sent events: `text` for each piece, then `reply` with the answer of `reply`, or `problem`. If the client leaves, the reply is not appended.',
    role: 'write',
    // A stream cannot be stored for an Idempotency-Key.
    writes: false,
    creates: true,
    body,
    streams: 'text/event-stream',
    run: async ({ chat, chatModel, body: { content, system } }) => {
      if (chatModel === null) throw new Refusal('CHAT_OFF')
      await chat.append({ role: 'user', content })
      const answer = (signal: AbortSignal, onText: (text: string) => void) =>
        replyOf(chat, { model: chatModel, system, signal, onText })
      return { response: new Response(replyStream(answer)) }
    },
  }),
]

/** The headers are sent before the model is asked, so a failure is an event. */
function replyStream(
  answer: (signal: AbortSignal, onText: (text: string) => void) => Promise<object>,
): ReadableStream<Uint8Array> {
  const left = new AbortController()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (event: string, data: object) => {
        if (left.signal.aborted) return
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      const end = () => {
        if (!left.signal.aborted) controller.close()
      }
      void answer(left.signal, (text) => write('text', { text }))
        .then(
          (reply) => write('reply', reply),
          (error: unknown) => write('problem', problemOf(error)),
        )
        .then(end)
    },
    cancel: () => left.abort(),
  })
}

function keyOf({ headers }: Call<unknown, unknown>['request']): string | null {
  const key = headers.get('idempotency-key')
  return key === null ? null : `reply:${key}`
}

interface Asked {
  readonly model: LanguageModel
  readonly system: string | undefined
  readonly signal: AbortSignal
  readonly onText?: (text: string) => void
}

async function replyOf(chat: ConversationHandle, { model, system, signal, onText }: Asked) {
  const context = await chat.context({ model: model.id, system, signal })
  const { fingerprint, tokens } = context
  const outcome = await model.generate(requestOf(context), { signal, onText })
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
