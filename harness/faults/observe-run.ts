/**
 * One run: a conversation that grows while models fail until it was compacted twice, goes on
 * while the breaker is open, and goes on when the faults are over. Through the public front and
 * real connections alone.
 */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createThroughline, type LiveEvent, type MessageInput, policies } from 'throughline'
import { boundedFetch, type LanguageModel, languageModel } from 'throughline/models'
import { fakeClock, truthfulSummary } from 'throughline/testing'
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
  const isSound = index > 0 && second === 'sound'
  return createFaultServer({
    answers: (question) => truthfulSummary(question, { words: wordsFor(question) }),
    faults: isSound ? undefined : { seed: `${name}:${index}`, chance, among: [fault] },
    tools: 'refused',
    pace: { byteEveryMs: 40, resetAfterMs: 5, retryAfterMs, hugeBytes },
  })
}

/** A word may be a hash, which has as many tokens as ten of the others. */
function wordsFor({ maxOutputTokens }: ModelQuestion): number {
  return Math.min(60, Math.floor((maxOutputTokens ?? 500) / 10))
}

const mostTurns = 60
const hourMs = 3_600_000
// On a busy machine a sound answer may be too late for a short timeout as well.
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
  for (let time = 0; time < (isSlow(run) ? patientTimes : 2); time += 1) {
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

/** A conversation of a generated talk, taken forward turn by turn, with everything seen of it noted. */
interface WatchedChat {
  /** Someone is answered from a context, compacted where it is forced; what models do behind it
   * is waited for. */
  turn(phase: Step['phase'], forced: boolean): Promise<void>
  readonly steps: readonly Step[]
  isOpen(): boolean
  compactions(): Promise<number>
  pass(milliseconds: number): void
  /** All of it, at the end. */
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
      // A border: the talk never ends.
      const { asked, answered } = talk.next().value as GeneratedTurn
      await append([asked])
      if (forced) await chat.compact()
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
      // What is done behind it is a step of its own: it begins and ends between two requests.
      const behind = async () => {
        await throughline.settled()
        if (live.length > 0) push({ tookMs: 0 })
      }
      await behind()
      await append(answered)
      await behind()
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
    // The second is of another provider.
    api: apiNames[(apiNames.indexOf(api) + index) % apiNames.length] ?? api,
    transfer,
    timeoutMs: isSlow(run) ? shortMs : 20_000,
    maxBytes: bounded ? Math.floor(hugeBytes / 3) : null,
    step,
  })
}

/** A model of the AI SDK behind a fault server, as a program would hand it in. */
interface AskedModel {
  readonly url: string
  readonly api: ModelApiName
  readonly transfer: 'stream' | 'whole'
  readonly timeoutMs: number
  /** Null: as the AI SDK reads it. */
  readonly maxBytes: number | null
  /** Says for which step a request is sent, in a header: a late one is not counted for another. */
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
