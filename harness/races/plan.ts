/** The random plan of one run: who does what, in which order, and how the model behaves. */
import fc from 'fast-check'
import { type PolicyInput, policies } from 'throughline'

/** Places of engines on the one store; a discarded engine gets a successor there. */
const slotNames = [0, 1] as const
export type Slot = (typeof slotNames)[number]

/** The names of the chat models; the second has the smaller window. */
export const chatModels = ['toy/chat', 'toy/small'] as const

export type Operation =
  | { readonly kind: 'append'; readonly slot: Slot; readonly words: readonly number[] }
  /** A question, its context, and the reply. */
  | { readonly kind: 'turn'; readonly slot: Slot; readonly model: number; readonly words: number }
  /** Several simultaneous contexts of one engine. */
  | { readonly kind: 'contexts'; readonly slot: Slot; readonly models: readonly number[] }
  | { readonly kind: 'compact'; readonly slot: Slot; readonly afresh: boolean }
  | { readonly kind: 'pin'; readonly slot: Slot; readonly at: number; readonly pinned: boolean }
  /** Another engine with another policy; the previous one finishes its work. */
  | { readonly kind: 'policy'; readonly slot: Slot; readonly policy: number }
  /** The engine is discarded in the middle of its work. */
  | { readonly kind: 'crash'; readonly slot: Slot }
  | { readonly kind: 'close'; readonly slot: Slot }

export type Behaviour = 'answers' | 'fails' | 'lies' | 'hangs'

export interface RacePlan {
  readonly store: 'memory' | 'sqlite'
  /** Exchanges that exist before the operations start. */
  readonly exchanges: number
  readonly policies: readonly [number, number]
  /** Each actor runs its operations in sequence; all actors run concurrently. */
  readonly actors: readonly (readonly Operation[])[]
  /** How the model behaves, call by call, repeated cyclically. */
  readonly behaviours: readonly Behaviour[]
  /** The time that passes with each step, repeated cyclically. */
  readonly stepsMs: readonly number[]
}

const policiesDrawn = 6

const slot = fc.constantFrom(...slotNames)
const model = fc.nat({ max: chatModels.length - 1 })
const words = fc.integer({ min: 5, max: 90 })

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      slot,
      words: fc.array(words, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), slot, model, words }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('contexts' as const),
      slot,
      models: fc.array(model, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('compact' as const), slot, afresh: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pin' as const),
      slot,
      at: fc.nat({ max: 40 }),
      pinned: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('policy' as const),
      slot,
      policy: fc.nat({ max: policiesDrawn - 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), slot }) },
)

const behaviour = fc.oneof(
  { weight: 8, arbitrary: fc.constant('answers' as const) },
  { weight: 1, arbitrary: fc.constantFrom('fails' as const, 'lies' as const, 'hangs' as const) },
)

export const racePlan: fc.Arbitrary<RacePlan> = fc.record({
  store: fc.oneof(
    { weight: 39, arbitrary: fc.constant('memory' as const) },
    { weight: 1, arbitrary: fc.constant('sqlite' as const) },
  ),
  exchanges: fc.integer({ min: 0, max: 16 }),
  policies: fc.tuple(fc.nat({ max: policiesDrawn - 1 }), fc.nat({ max: policiesDrawn - 1 })),
  actors: fc.array(fc.array(operation, { minLength: 2, maxLength: 9 }), {
    minLength: 2,
    maxLength: 3,
  }),
  behaviours: fc.array(behaviour, { minLength: 1, maxLength: 8 }),
  stepsMs: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 }),
})

/** The policies that runs switch between: in the background and blocking, of several designs. */
// Short, like the time of a schedule.
const limits = { timeMs: 2_000, calls: 3, callsPerHour: 200 }
const background = { mode: 'background', waitMs: 300 } as const

const slots = policies.balanced.advanced.slots.map((slot) =>
  slot.kind === 'summary' ? { ...slot, share: { ratio: 0.2 } } : slot,
)

const ahead = {
  ...policies.balanced,
  triggers: [{ kind: 'tokenRatio', at: 0.6, reset: 0.5, of: 'free' }],
  advanced: { slots },
  limits,
  run: background,
} as const

export const racePolicies: readonly PolicyInput[] = [
  { ...ahead, name: 'ahead' },
  { ...ahead, name: 'ahead, often', triggers: [{ kind: 'messages', since: 8 }] },
  { ...ahead, name: 'ahead, or not at all', advanced: { slots, onFailure: 'no-change' } },
  { ...policies['rolling-rows'], name: 'rows', limits, run: background },
  { ...policies['running-rag'], name: 'resources', limits, run: background },
  { ...policies['ratio-chain'], name: 'blocking', limits },
]
