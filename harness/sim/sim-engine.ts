/** An engine of a run: its store staged, its queue drawn, its model moody, its clock wrong. */
import { createThroughline, type LiveEvent, type PolicyInput, type Throughline } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { tokenizer } from '../races/strict-model.ts'
import { drawnQueue } from './drawn-queue.ts'
import { simModel } from './sim-model.ts'
import { simPolicies } from './sim-policies.ts'
import type { SimStore } from './sim-store.ts'
import type { Stage } from './stage.ts'
import { stagedStore } from './staged-store.ts'

export interface SimEngine {
  readonly name: string
  readonly tl: Throughline
  readonly policy: PolicyInput
  /** How often its store has failed so far. */
  failures(): number
  /** Resolves when it is thrown away: whoever waits for it hears nothing more. */
  readonly gone: Promise<'gone'>
  isGone(): boolean
  drop(): void
  /** What it told of itself while it was there. */
  readonly live: readonly LiveEvent[]
}

interface ChatModel {
  readonly id: string
  readonly contextWindowTokens: number
}

/** Windows that some dozen messages fill, and one that more of them do. */
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
    isGone: () => isGone,
    failed: (what: string) => {
      failures += 1
      trace.note(`  ${name} fails ${what}`)
    },
  }
  const note = (line: string) => {
    stage.count('calls of the model')
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
