/** An engine of a run, with a scheduled store and queue, an unreliable model and a wrong clock. */
import {
  createThroughline,
  type Job,
  jobKey,
  type LiveEvent,
  type PolicyInput,
  policies,
  type Queue,
  type Throughline,
} from 'throughline'
import type { Chance } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { racePolicies } from '../races/plan.ts'
import { tokenizer } from '../races/strict-model.ts'
import { simModel } from './sim-model.ts'
import { type SimStore, stagedStore } from './sim-store.ts'
import type { Schedule, Stage } from './stage.ts'

export interface SimEngine {
  readonly name: string
  readonly tl: Throughline
  readonly policy: PolicyInput
  /** How often its store has failed so far. */
  failures(): number
  /** Resolves when the engine is discarded: its callers get no answer. */
  readonly gone: Promise<'gone'>
  isGone(): boolean
  drop(): void
  /** Its live events. */
  readonly live: readonly LiveEvent[]
}

interface ChatModel {
  readonly id: string
  readonly contextWindowTokens: number
}

/** Windows that a few dozen messages fill, and a larger one. */
export const chatModels: readonly [ChatModel, ...ChatModel[]] = [
  { id: 'toy/small', contextWindowTokens: 1_800 },
  { id: 'toy/chat', contextWindowTokens: 3_000 },
  { id: 'toy/wide', contextWindowTokens: 12_000 },
]

export function simEngine(
  stage: Stage,
  store: SimStore,
  number: number,
  policyAt: number,
  found: Finding[],
): SimEngine {
  const { schedule, chance, trace, moods } = stage
  const name = `e${number}`
  const policy = simPolicies[policyAt % simPolicies.length] ?? 'balanced'
  let isGone = false
  let failures = 0
  const gone = Promise.withResolvers<'gone'>()
  const staging = {
    ...{ name, schedule, chance, failsInTimes: moods.storeFailsInTimes },
    isRemote: store.isRemote,
    isGone: () => isGone,
    failed: (what: string) => {
      failures += 1
      trace.note(`  ${name} fails ${what}`)
    },
  }
  const note = (line: string) => {
    stage.count('model calls')
    trace.note(`  ${name} ${line}`)
  }
  const tooLong = (tokens: number) =>
    found.push({ rule: 'too-long', detail: `${name} asked its model for ${tokens} tokens` })
  const strangeInTimes = moods.modelStrangeInTimes
  const tl = createThroughline({
    ...{ policy, tokenizer, models: chatModels, clock: { now: stage.now } },
    store: stagedStore(store.open(), staging),
    queue: drawnQueue(schedule, chance),
    ...(moods.writes && {
      summarizer: simModel({ schedule, chance, strangeInTimes, note, tooLong }),
    }),
  })
  const live: LiveEvent[] = []
  tl.on((event) => {
    if (!isGone) live.push(event)
  })
  return {
    ...{ name, tl, policy, live, gone: gone.promise },
    failures: () => failures,
    isGone: () => isGone,
    drop: () => {
      isGone = true
      gone.resolve('gone')
    },
  }
}

/** The policies that runs switch between: by rules, by models, blocking and in the background. */
const limits = { timeMs: 2_000, calls: 4, callsPerHour: 500 }

export const simPolicies: readonly [PolicyInput, ...PolicyInput[]] = [
  'balanced',
  'coding',
  'chat',
  ...racePolicies,
  {
    ...policies['rule-digest'],
    name: 'digest',
    limits: { ...policies['rule-digest'].limits, ...limits },
  },
  {
    ...policies['turn-memory'],
    name: 'turns',
    limits: { ...policies['turn-memory'].limits, ...limits },
  },
]

/** A queue that starts jobs when the schedule draws them, one per key at a time, and may forget. */
const forgetsInTimes = 12

function drawnQueue(schedule: Schedule, chance: Chance): Queue {
  const waiting = new Map<string, Job>()
  const running = new Map<string, Promise<void>>()
  const ending = new AbortController()
  let isClosed = false
  let run: (job: Job, signal: AbortSignal) => Promise<void> = async () => {}
  const begin = (key: string) => {
    if (running.has(key)) return
    const done = schedule
      .wait(`job ${key}`)
      .then(() => {
        const job = waiting.get(key)
        waiting.delete(key)
        return job === undefined ? undefined : run(job, ending.signal)
      })
      // No caller waits for a failed job: the next request finds it due again.
      .catch(() => {})
      .then(() => {
        running.delete(key)
        if (waiting.has(key)) begin(key)
      })
    running.set(key, done)
  }
  const settled = async () => {
    while (running.size > 0) await Promise.all(running.values())
  }
  return {
    start: (given) => {
      run = given
    },
    add: (job) => {
      if (isClosed || chance.once(forgetsInTimes)) return
      waiting.set(jobKey(job), job)
      begin(jobKey(job))
    },
    settled,
    close: async () => {
      isClosed = true
      waiting.clear()
      ending.abort(new Error('the engine is closed'))
      await settled()
    },
  }
}
