/**
 * The time of a turn in a conversation of a given length. A function instead of a server answers the
 * requests, so that only the method's own work is measured.
 */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openaiChatApi } from '../harness/fault-server/openai-chat.ts'
import { openaiResponsesApi } from '../harness/fault-server/openai-responses.ts'
import type { ModelAnswer } from '../harness/fault-server/responder.ts'
import { createEmbeddings } from './embeddings.ts'
import { madeConversation } from './made/conversation.ts'
import { messagesOf, type Turn } from './made/turns.ts'
import { type Times, windows } from './plan.ts'
import { scripted } from './replay/script.ts'
import { type ChatMessage, type OpenSession, summarizerModel } from './session.ts'

const madeTurns = 200
const warmUpTurns = 5

export async function timeTurns(
  open: OpenSession,
  folder: string,
  messages: number,
  turns: number,
): Promise<Times> {
  const made = madeConversation('times', { turns: madeTurns, questions: 0 })
  const played = await opened(open, folder, made)
  const started = performance.now()
  await played.session.load(loaded(made.turns, messages))
  const loadMs = performance.now() - started
  const turnMs = async (index: number) => {
    const turn = made.turns[index % madeTurns] ?? made.turns[0]
    if (turn === undefined) throw new Error('no turn')
    played.begin(turn)
    const began = performance.now()
    await played.session.turn(`${turn.text} (${index})`)
    return performance.now() - began
  }
  const firstMs = await turnMs(0)
  for (let turn = 0; turn < warmUpTurns; turn += 1) await turnMs(turn + 1)
  const turnsMs: number[] = []
  for (let turn = 0; turn < turns; turn += 1) turnsMs.push(await turnMs(turn + 1 + warmUpTurns))
  await played.close()
  const peakBytes = process.resourceUsage().maxRSS * 1_024
  return { loadMs, firstMs, turnsMs, peakBytes, diskBytes: diskBytes(folder) }
}

/** A new process on what an earlier one stored, until it sends its first request. */
export async function timeColdStart(open: OpenSession, folder: string): Promise<number> {
  const made = madeConversation('times', { turns: madeTurns, questions: 0 })
  let sentAt = 0
  const played = await opened(open, folder, made, () => {
    sentAt ||= Date.now()
  })
  const [turn] = made.turns
  if (turn === undefined) throw new Error('no turn')
  played.begin({ ...turn, steps: [] })
  await played.session.turn('Where are we?')
  await played.close()
  return sentAt - performance.timeOrigin
}

type Made = ReturnType<typeof madeConversation>

async function opened(open: OpenSession, folder: string, { system, tools }: Made, sent = () => {}) {
  const script = scripted()
  const embeddings = await createEmbeddings()
  const fetchScripted: typeof fetch = async (url, request) => {
    sent()
    const body = String(request?.body)
    const isSummary = body.includes(`"${summarizerModel}"`)
    const answer = isSummary ? { text: summary, calls: [] } : script.answer()
    const api = String(url).endsWith('/responses') ? openaiResponsesApi : openaiChatApi
    const whole = api.whole({ ...answer, ...answered }, {})
    return new Response(JSON.stringify(whole), { headers: { 'content-type': 'application/json' } })
  }
  const session = await open({
    ...{ windowTokens: windows.times, system, tools, folder, runTool: script.runTool },
    ...{ url: embeddings.url, summarizerUrl: embeddings.url, embeddingsUrl: embeddings.url },
    fetch: fetchScripted,
  })
  return {
    session,
    begin: (turn: Turn) => script.begin(turn),
    close: async () => {
      await session.close()
      await embeddings.close()
    },
  }
}

const summary = `<observations>\n${'The user asked for changes, and they were made. '.repeat(40)}\n</observations>`

const answered: Omit<ModelAnswer, 'text' | 'calls'> = {
  ...{ id: '0'.repeat(48), model: 'scripted', createdAtSeconds: 1, thinking: null, refusal: null },
  ...{ finish: 'stop', inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
}

/** The made conversation again and again, up to this many messages. */
function loaded(turns: readonly Turn[], count: number): readonly ChatMessage[] {
  const messages: ChatMessage[] = []
  for (let index = 0; messages.length < count; index += 1) {
    const turn = turns[index % turns.length]
    if (turn !== undefined)
      messages.push(...messagesOf({ ...turn, text: `${turn.text} (${-index})` }, `load_${index}`))
  }
  return wholeTurns(messages, count)
}

/** Ends with a reply, so that the next message may be the user's. */
function wholeTurns(messages: readonly ChatMessage[], count: number): readonly ChatMessage[] {
  const next = messages.findLastIndex(({ role }, at) => role === 'user' && at <= count)
  return messages.slice(0, Math.max(0, next))
}

function diskBytes(folder: string): number {
  const files = globSync('**/*', { cwd: folder }).map((name) => statSync(join(folder, name)))
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)
}
