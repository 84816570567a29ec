/** A route handler as Next.js has it (`app/api/chat/route.ts`): conversations are in a database. */
import OpenAI from 'openai'
import { createThroughline, isThroughlineError } from 'throughline'
import { openaiChat } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import { scripted } from './scripted.ts'

const client = process.env['OPENAI_API_KEY'] ? new OpenAI() : new OpenAI(scripted)
const model = 'gpt-5-mini'
// One for the process: a development server loads this file again with each change.
const kept = globalThis as { throughline?: ReturnType<typeof createThroughline> }
kept.throughline ??= createThroughline({ store: sqlite(process.env['CHAT_DATABASE'] ?? 'chat.db') })
const tl = kept.throughline

interface Question {
  readonly conversation: string
  readonly text: string
  /** The page makes it once for each question, and sends it again with a retry. */
  readonly key: string
}

/** Appends a question and returns the answer; a retry of an answered question returns it again. */
export async function POST(request: Request): Promise<Response> {
  const question = readQuestion(await request.json().catch(() => null))
  if (question === null) return problem(400, 'send { conversation, text, key }, all of them texts')
  const { conversation, text, key } = question
  const chat = tl.conversation(conversation)
  try {
    const { entries } = await chat.append({ role: 'user', content: text }, { key })
    const from = (entries[0]?.seq ?? 0) + 1
    for await (const stored of chat.messages({ from, to: from + 1 }))
      if (stored.role === 'assistant') return Response.json({ text: textOf(stored) })
    const context = await chat.context({ model, system: 'You are a helpful assistant.' })
    const body = { model, ...openaiChat.write(context) }
    const reply = await client.chat.completions.create(body, { signal: request.signal })
    const { messages } = openaiChat.read({ messages: reply.choices.map(({ message }) => message) })
    const measured = reply.usage && { usage: reply.usage, of: context.fingerprint }
    await chat.append(messages, { key: `${key} answer`, ...measured })
    return Response.json({ text: reply.choices[0]?.message.content ?? '' })
  } catch (error) {
    if (isThroughlineError(error)) return problem(409, `${error.code}: ${error.message}`)
    return problem(502, 'the model did not answer; send the same key again')
  }
}

/** The messages of a conversation, for the page: `/api/chat?conversation=…`. */
export async function GET(request: Request): Promise<Response> {
  const conversation = new URL(request.url).searchParams.get('conversation')
  if (conversation === null) return problem(400, 'say which conversation')
  const shown: object[] = []
  for await (const message of tl.conversation(conversation).messages())
    shown.push({ role: message.role, text: textOf(message) })
  return Response.json(shown)
}

function readQuestion(body: unknown): Question | null {
  const { conversation, text, key } = (body ?? {}) as Partial<Record<keyof Question, unknown>>
  const given = [conversation, text, key]
  if (!given.every((value) => typeof value === 'string' && value !== '')) return null
  return body as Question
}

type Shown = { readonly parts: readonly { readonly type: string; readonly text?: string }[] }

function textOf({ parts }: Shown): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function problem(status: number, detail: string): Response {
  return Response.json({ detail }, { status })
}
