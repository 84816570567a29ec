/**
 * A strict upstream for the gateway: refuses what the providers' rules refuse and what is larger than its window,
 * and answers with text, calls and reasoning, in pieces of odd sizes. Keeps the bytes of both directions.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { loadGptTokenizer } from 'throughline'
import {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'
import { type ScriptedAnswer, wireAnswers } from './wire-answers.ts'

export type ApiName = keyof typeof wireAnswers

interface UpstreamCall {
  /** By which `answer` knows it; null for a call of no model. */
  readonly number: number | null
  readonly api: ApiName | null
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly status: number
  /** As sent, or as much of it as was sent. */
  readonly answer: Buffer
}

export interface ScriptedUpstreamOptions {
  readonly windowTokens?: number
  /** The answer to the request of this number, from 0. */
  readonly answer?: (
    number: number,
    body: Fields,
    api: ApiName,
    headers: IncomingMessage['headers'],
  ) => ScriptedAnswer
  /** Names of rules that the upstream does not have. */
  readonly tolerates?: readonly string[]
  /** Cuts the answer after this many bytes; null for none. */
  readonly cutAfter?: (number: number) => number | null
  /** Refuses a request with this error before anything else is checked; null for none. */
  readonly refuse?: (
    number: number,
    text: string,
  ) => { readonly status: number; readonly body: object } | null
  /** Called when the request has arrived. */
  readonly onRequest?: (body: Buffer) => void
}

type Fields = Readonly<Record<string, unknown>>

export interface ScriptedUpstream {
  readonly url: string
  readonly calls: readonly UpstreamCall[]
  close(): Promise<void>
}

const rules = {
  anthropic: (body: Fields) => anthropicMessages.problems(body),
  chat: (body: Fields) => openaiChat.problems(body),
  // Codex sends reasoning whose answer was interrupted, which the service takes if it is sealed.
  responses: (body: Fields) =>
    openaiResponses
      .problems(body)
      .filter(({ rule, at }) => rule !== 'reasoning-alone' || !isSealed(body, at)),
  // Its own SDK sends each piece of a stream as a content of its own.
  gemini: (body: Fields) =>
    geminiContents
      .problems(body)
      .filter(({ rule }) => rule !== 'alternation')
      .filter(({ rule, at }) => !repeatRules.includes(rule) || !isRepeated(body, at)),
} as const

const repeatRules: readonly string[] = ['orphan-result', 'result-position']

/**
 * Gemini CLI 0.61 repeats the results in a session that it resumes, in the same bytes, also without a gateway
 * (google-gemini/gemini-cli#29365). `at` is `contents[3].parts[1]`.
 */
function isRepeated({ contents }: Fields, at: string): boolean {
  const [content, part] = [...at.matchAll(/\d+/g)].map(Number)
  const parts: readonly unknown[] = Array.isArray(contents) ? contents[content ?? 0]?.parts : []
  const texts = parts.slice(0, (part ?? 0) + 1).map((each) => JSON.stringify(each))
  return texts.indexOf(texts.at(-1) ?? '') < texts.length - 1
}

/** `at` is `input[3]`. */
function isSealed({ input }: Fields, at: string): boolean {
  const item = Array.isArray(input) ? input[Number(/\d+/.exec(at)?.[0])] : undefined
  return typeof item?.encrypted_content === 'string'
}

export async function startScriptedUpstream(
  options: ScriptedUpstreamOptions = {},
): Promise<ScriptedUpstream> {
  const { windowTokens = Number.POSITIVE_INFINITY, tolerates = [] } = options
  const calls: UpstreamCall[] = []
  const tokenizer = await loadGptTokenizer('o200k_base')
  if (tokenizer === null) throw new Error('gpt-tokenizer is not installed')
  let number = -1
  const server = createServer(async (request, response) => {
    const body = await bytesIn(request)
    const path = request.url ?? ''
    const call = apiOf(path)
    if (call !== null) number += 1
    const own = number
    const done = (status: number, answer: Buffer, api: ApiName | null) => {
      const { headers } = request
      calls.push({ number: call && own, api, path, headers, body, status, answer })
    }
    const json = (status: number, value: object, api: ApiName | null = null) => {
      const answer = Buffer.from(JSON.stringify(value))
      done(status, answer, api)
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
    }
    if (call === null)
      return json(200, { object: 'list', data: [{ id: 'small', object: 'model' }] })
    options.onRequest?.(body)
    const text = body.toString()
    const refusal = options.refuse?.(own, text) ?? null
    if (refusal !== null) return json(refusal.status, refusal.body, call.api)
    const fields = parsedOrNull(text)
    if (fields === null) return json(400, { error: { message: 'no JSON' } }, call.api)
    // Gemini CLI counts a result without its conversation.
    const isPart = call.api === 'gemini' && call.isCount
    const problem = isPart
      ? undefined
      : rules[call.api](fields).find(({ rule }) => !tolerates.includes(rule))
    if (problem !== undefined)
      return json(
        400,
        { error: { message: `${problem.at} ${problem.message}`, type: 'invalid_request_error' } },
        call.api,
      )
    // Of the JSON: a service counts less.
    const tokens = tokenizer.count(text)
    if (call.isCount) return json(200, { input_tokens: tokens, totalTokens: tokens }, call.api)
    if (tokens > windowTokens)
      return json(
        400,
        {
          error: {
            message: `prompt is too long: ${tokens} tokens > ${windowTokens} maximum`,
            code: 'context_length_exceeded',
          },
        },
        call.api,
      )
    const scripted = options.answer?.(own, fields, call.api, request.headers) ?? {
      text: `Answer ${own}.`,
    }
    const isStream = call.isStream || fields['stream'] === true
    const answer = wireAnswers[call.api](scripted, { number: own, tokens, isStream })
    const cutAfter = options.cutAfter?.(own) ?? null
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      'request-id': `req_${own}`,
    })
    await send(response, answer, { cutAfter, pauseMs: scripted.pauseMs ?? 0 })
    done(200, cutAfter === null ? answer : answer.subarray(0, cutAfter), call.api)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function apiOf(path: string) {
  const { pathname } = new URL(path, 'http://localhost')
  const [, gemini] = /:(streamGenerateContent|generateContent|countTokens)$/.exec(pathname) ?? []
  if (gemini !== undefined)
    return {
      api: 'gemini',
      isStream: gemini === 'streamGenerateContent',
      isCount: gemini === 'countTokens',
    } as const
  const isCount = /\/(?:count_tokens|input_tokens)$/.test(pathname)
  if (pathname.startsWith('/v1/messages'))
    return { api: 'anthropic', isStream: false, isCount } as const
  if (pathname === '/v1/chat/completions') return { api: 'chat', isStream: false, isCount } as const
  if (pathname.startsWith('/v1/responses'))
    return { api: 'responses', isStream: false, isCount } as const
  return null
}

function parsedOrNull(text: string): Fields | null {
  try {
    return JSON.parse(text) as Fields
  } catch {
    return null
  }
}

async function bytesIn(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Ends early when the caller leaves. */
async function pause(response: ServerResponse, pauseMs: number): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  await setTimeout(pauseMs, null, left).catch(() => {})
}

/** Pieces that end in the middle of characters and lines. */
const pieceBytes = 37

async function send(
  response: ServerResponse,
  answer: Buffer,
  { cutAfter, pauseMs }: { readonly cutAfter: number | null; readonly pauseMs: number },
) {
  const sent = cutAfter === null ? answer : answer.subarray(0, cutAfter)
  const middle = Math.floor(sent.byteLength / 2 / pieceBytes) * pieceBytes
  for (let at = 0; at < sent.byteLength; at += pieceBytes) {
    if (pauseMs > 0 && at === middle) await pause(response, pauseMs)
    if (response.destroyed) return
    await new Promise<void>((resolve) => {
      response.write(sent.subarray(at, at + pieceBytes), () => resolve())
    })
  }
  if (cutAfter === null) response.end()
  else {
    response.flushHeaders()
    // A reset would discard what is on its way.
    await new Promise((resolve) => setImmediate(resolve))
    response.destroy()
  }
}
