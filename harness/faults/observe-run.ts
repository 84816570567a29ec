/**
 * One run: a conversation grows while models fail until it was compacted twice, continues while the
 * breaker is open, and continues after the faults are over. It uses only the public API and real
 * connections.
 */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createThroughline, type LiveEvent, type MessageInput, policies } from 'throughline'
import { boundedFetch, type LanguageModel, languageModel } from 'throughline/models'
import { fakeClock } from 'throughline/testing'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import {
  createFaultServer,
  type FaultServer,
  type ModelApiName,
  type ModelQuestion,
} from '../fault-server.ts'
import { breakerAfter, breakerState, newBreaker } from './check-breaker.ts'
import { type GeneratedTurn, generatedTalk } from './generated-talk.ts'
import type { Observed, Step } from './observed.ts'
import { apiNames, isHopeless, isSlow, type PlannedRun } from './planned-run.ts'

export async function observeRun(run: PlannedRun): Promise<Observed> {
  const servers: FaultServer[] = []
  try {
    for (let index = 0; index < run.models; index += 1) servers.push(await serverFor(run, index))
    return await observeWith(run, servers)
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

function serverFor(run: PlannedRun, index: number): Promise<FaultServer> {
  const { name, fault, chance, second, hugeBytes, retryAfterMs } = run
  const isHealthy = index > 0 && second === 'healthy'
  return createFaultServer({
    answers: (question) => truthfulSummary(question, { words: wordsFor(question) }),
    faults: isHealthy ? undefined : { seed: `${name}:${index}`, chance, among: [fault] },
    tools: 'refused',
    pace: { byteEveryMs: 40, resetAfterMs: 5, retryAfterMs, hugeBytes },
  })
}

/** A word may be a hash, which has as many tokens as ten other words. */
function wordsFor({ maxOutputTokens }: ModelQuestion): number {
  return Math.min(60, Math.floor((maxOutputTokens ?? 500) / 10))
}

const mostTurns = 60
const hourMs = 3_600_000
// On a busy machine a valid answer may also exceed a short timeout, and a policy that summarizes what
// it leaves out has nothing to summarize while its stubs suffice.
const patientTimes = 8

async function observeWith(run: PlannedRun, servers: readonly FaultServer[]): Promise<Observed> {
  const chat = watchedChat(run, servers)
  while (chat.steps.length < mostTurns) {
    await chat.turn('faulty', false)
    const isDone = chat.isOpen() || !isHopeless(run) || chat.steps.some(hasSummary)
    if (isDone && (await chat.compactions()) >= 2) break
  }
  if (chat.isOpen()) {
    await chat.turn('faulty', true)
    await chat.turn('faulty', true)
  }
  for (const server of servers) server.arm(null)
  for (let time = 0; time < patientTimes; time += 1) {
    chat.pass(hourMs + 1)
    await chat.turn('ended', false)
    await chat.turn('ended', true)
    if (chat.steps.some((step) => step.phase === 'ended' && hasSummary(step))) break
  }
  return chat.observed()
}

function hasSummary({ live }: Step): boolean {
  return live.some(({ kind }) => kind === 'summarization-finished')
}

/** A generated conversation that advances turn by turn, with a record of everything observed. */
interface WatchedChat {
  /** Answers a turn from a context, compacting if forced, and waits for the background
   * work after it. */
  turn(phase: Step['phase'], forced: boolean): Promise<void>
  readonly steps: readonly Step[]
  isOpen(): boolean
  compactions(): Promise<number>
  pass(milliseconds: number): void
  /** The complete record, at the end. */
  observed(): Promise<Observed>
}

const chatModel = { id: 'toy/chat', contextWindowTokens: 4_000 } as const

function watchedChat(run: PlannedRun, servers: readonly FaultServer[]): WatchedChat {
  const { policy, name, withTools, retryAfterMs } = run
  const clock = fakeClock()
  const steps: Step[] = []
  const appended: MessageInput[] = []
  let live: LiveEvent[] = []
  let breaker = newBreaker
  const throughline = createThroughline({
    policy,
    models: [chatModel],
    tokenizer: 'estimate',
    clock,
    summarizer: servers.map((server, index) => modelFor(run, server, index, () => steps.length)),
  })
  throughline.on((event) => live.push(event))
  const chat = throughline.conversation(name)
  const talk = generatedTalk(name, withTools)
  const append = async (messages: readonly MessageInput[]): Promise<void> => {
    appended.push(...messages)
    await chat.append(messages)
  }
  return {
    steps,
    turn: async (phase, forced) => {
      // The talk never ends.
      const { asked, answered } = talk.next().value as GeneratedTurn
      await append([asked])
      if (forced) await chat.compactNextRequest()
      live = []
      const started = performance.now()
      const context = await chat.context({ model: chatModel.id, system: 'Help with the records.' })
      const tookMs = performance.now() - started
      const [at, head] = [clock.now(), appended.length]
      const push = (step: Pick<Step, 'tookMs'>) => {
        steps.push({ number: steps.length, phase, at, head, context, live, ...step })
        breaker = breakerAfter(breaker, live, at)
        live = []
      }
      push({ tookMs })
      // Background work is a separate step between two requests.
      const background = async () => {
        await throughline.settled()
        if (live.length > 0) push({ tookMs: 0 })
      }
      await background()
      await append(answered)
      await background()
      clock.set(at + 1_000)
    },
    isOpen: () => breakerState(breaker, clock.now()) === 'open',
    compactions: async () => (await chat.receipts({ limit: 3 })).length,
    pass: (milliseconds) => clock.set(clock.now() + milliseconds),
    observed: async () => {
      await throughline.settled()
      const observed: Observed = {
        appended,
        log: await Array.fromAsync(chat.messages()),
        steps,
        summaries: await chat.summaries({ limit: 500 }),
        inForce: await chat.summary({ model: chatModel.id }),
        receipts: await chat.receipts({ limit: 500 }),
        events: await chat.events({ limit: 5_000 }),
        served: servers.map(({ requests }) => requests),
        callsMost: policies[policy].limits.calls,
        retryAfterMs,
      }
      await throughline.close()
      return observed
    },
  }
}

const shortMs = 600

function modelFor(run: PlannedRun, { url }: FaultServer, index: number, step: () => number) {
  const { api, transfer, bounded, hugeBytes } = run
  return askedModel({
    url,
    // The second model is from another provider.
    api: apiNames[(apiNames.indexOf(api) + index) % apiNames.length] ?? api,
    transfer,
    timeoutMs: isSlow(run) ? shortMs : 20_000,
    maxBytes: bounded ? Math.floor(hugeBytes / 3) : null,
    step,
  })
}

/** An AI SDK model on a fault server, passed to the engine as a program would. */
interface AskedModel {
  readonly url: string
  readonly api: ModelApiName
  readonly transfer: 'stream' | 'whole'
  readonly timeoutMs: number
  /** Null: no limit beyond the AI SDK's. */
  readonly maxBytes: number | null
  /** Names the step of a request in a header, so that a late one counts for its own step. */
  readonly step: () => number
}

export const stepHeader = 'x-step'

function askedModel(asked: AskedModel): LanguageModel {
  const { transfer, timeoutMs } = asked
  return languageModel(sdkModel(asked), { transfer, timeoutMs })
}

function sdkModel({ url, api, maxBytes, step }: AskedModel) {
  const marked: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set(stepHeader, String(step()))
    return globalThis.fetch(input, { ...init, headers })
  }
  const fetch = maxBytes === null ? marked : boundedFetch({ maxBytes, fetch: marked })
  const options = { baseURL: url, apiKey: 'test-key', fetch }
  switch (api) {
    case 'openai-chat':
      return createOpenAI(options).chat('gpt-4.1-mini')
    case 'openai-responses':
      return createOpenAI(options).responses('gpt-4.1')
    case 'anthropic-messages':
      return createAnthropic(options)('claude-haiku-4-5')
  }
}
