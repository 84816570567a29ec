/** An engine whose every store command and every model call waits for the schedule. */

import {
  type ConversationHandle,
  createThroughline,
  type LanguageModel,
  type LiveEvent,
  type PolicyInput,
  type Store,
  type Throughline,
  ThroughlineError,
} from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import { commandIn } from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import type { ChangeCommit } from '../kernel/planted.ts'
import { type ModelCall, numbersIn, type ObservedEngine, type TriedCommit } from './observed.ts'
import { type Behaviour, chatModels } from './plan.ts'
import { tokenizer } from './strict-model.ts'

export interface RaceEngine {
  readonly number: number
  readonly tl: Throughline
  readonly chat: ConversationHandle
  readonly live: readonly LiveEvent[]
  fate(): ObservedEngine['fate']
  /** Resolves when the engine is discarded or closed: callers then use its successor. */
  readonly gone: Promise<'gone'>
  /** Stops all of its work from now on. */
  crash(): void
  /** Models for which it is building a context. */
  readonly asking: string[]
}

export interface EngineOptions {
  readonly number: number
  readonly store: Store
  readonly policy: PolicyInput
  readonly now: () => number
  /** Resolves when the schedule says so. */
  readonly wait: (label: string) => Promise<void>
  readonly behaviour: () => Behaviour
  readonly calls: ModelCall[]
  readonly commits: TriedCommit[]
  /** Receives its live events. */
  readonly live: LiveEvent[]
  /** A planted bug of the engine. */
  readonly change: ChangeCommit
}

const conversation = 'race'

/** Windows that a few dozen messages fill. */
const windows = [2_400, 1_600]

export function raceEngine(options: EngineOptions): RaceEngine {
  const { number, store, policy, now, wait, calls, live } = options
  let fate: ObservedEngine['fate'] = 'lives'
  const gone = Promise.withResolvers<'gone'>()
  const asking: string[] = []
  const proceed = async (label: string): Promise<void> => {
    await wait(`${number}: ${label}`)
    if (fate === 'crashed') await never
    if (fate === 'closed') throw new ThroughlineError('STORE_CLOSED', 'the store is closed')
  }
  const close = async () => {
    if (fate === 'lives') fate = 'closed'
    gone.resolve('gone')
  }
  const tl = createThroughline({
    store: { tenant: (id) => scheduled(store.tenant(id), proceed, { ...options, asking }), close },
    tokenizer,
    policy,
    clock: { now },
    models: chatModels.map((id, index) => ({
      id,
      contextWindowTokens: windows[index] ?? 0,
    })),
    summarizer: scheduledModel(options, proceed),
  })
  tl.on((event) => {
    if (fate !== 'crashed') live.push(event)
  })
  return {
    number,
    tl,
    chat: tl.conversation(conversation),
    live,
    fate: () => fate,
    gone: gone.promise,
    crash: () => {
      fate = 'crashed'
      gone.resolve('gone')
    },
    asking,
  }

  function scheduledModel(
    { behaviour }: EngineOptions,
    step: (label: string) => Promise<void>,
  ): LanguageModel {
    const id = 'toy/writer'
    return {
      id,
      card: { id, contextWindowTokens: 16_000 },
      prices: { inputUsd: 1, outputUsd: 2 },
      generate: async ({ messages, schema }) => {
        const texts = messages.map(({ content }) => ({ role: 'user' as const, text: content }))
        calls.push({
          engine: number,
          numbers: new Set(texts.flatMap(({ text }) => numbersIn(text))),
        })
        const does = behaviour()
        await step(`the model ${does}`)
        if (does === 'hangs') return never
        if (does === 'fails')
          return {
            kind: 'failed',
            failure: { cause: 'transport', status: 503, retryAfterMs: null, message: 'busy' },
          }
        const text = does === 'lies' ? '' : truthfulSummary({ messages: texts, schema })
        const usage = { inputTokens: 100, outputTokens: 20 }
        return { kind: 'answered', text, finish: 'stop', usage, model: id }
      },
    }
  }
}

const never = new Promise<never>(() => {})

/** Each command runs as a whole when the schedule allows it. */
function scheduled(
  store: TenantStore,
  proceed: (label: string) => Promise<void>,
  {
    number,
    commits,
    calls,
    asking,
    change,
  }: EngineOptions & { readonly asking: readonly string[] },
): TenantStore {
  const commit: TenantStore['commit'] = async (asked) => {
    await proceed('commit')
    const command = await change(commandIn(asked), store)
    const outcome = await commitChanges(store, command)
    commits.push({
      engine: number,
      command,
      outcome,
      asking: [...asking],
      callsSoFar: calls.length,
    })
    await proceed('committed')
    return outcome
  }
  // All commands of a store are async functions.
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit
      const command = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown
      return async (...given: readonly unknown[]) => {
        await proceed(String(name))
        const outcome = await command.apply(target, [...given])
        // An engine discarded now has written without acknowledging it.
        if (name === 'append') await proceed('appended')
        return outcome
      }
    },
  })
}
