/** A conversation of a generated talk, taken forward turn by turn, with everything seen of it noted. */
import { createThroughline, type LiveEvent, type MessageInput, policies } from 'throughline'
import { fakeClock } from 'throughline/testing'
import type { FaultServer } from '../fault-server.ts'
import { askedModel } from './asked-model.ts'
import { type GeneratedTurn, generatedTalk } from './generated-talk.ts'
import { breakerAfter, breakerState, newBreaker } from './known-breaker.ts'
import type { Observed, Step } from './observed.ts'
import { apiNames, isSlow, type PlannedRun } from './planned-run.ts'

export interface WatchedChat {
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

export function watchedChat(run: PlannedRun, servers: readonly FaultServer[]): WatchedChat {
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
