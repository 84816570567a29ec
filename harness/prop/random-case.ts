/** A case: a history, what a request for it holds besides, and the windows to fit it in. */
import {
  type AdvancedPolicyOptions,
  type FitInput,
  type JsonObject,
  type MessageInput,
  type Preset,
  recallToolSchemas,
  type Slot,
  type ToolSchema,
} from 'throughline'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import { nativeHistory } from './native-history.ts'
import { randomHistory } from './random-history.ts'
import { anyText, plainWords, randomText } from './random-text.ts'

export interface Case {
  readonly seed: number
  readonly kind: 'made' | 'native'
  readonly messages: readonly MessageInput[]
  /** Everything of `fit` but the messages and the model. */
  readonly asked: Asked
  readonly windows: readonly number[]
}

export type Asked = Omit<FitInput, 'messages' | 'model' | 'models' | 'state'>

export async function randomCase(seed: number): Promise<Case> {
  const chance = chanceOf(`prop ${seed}`)
  const native = chance.once(5) ? await nativeHistory(chance) : null
  const messages = native?.messages ?? randomHistory(chance)
  const asked = randomAsked(chance, messages.length)
  return {
    seed,
    kind: native === null ? 'made' : 'native',
    messages,
    asked:
      native === null ? asked : { ...asked, system: [...native.system], tools: [...native.tools] },
    windows: windowsFor(chance, messages),
  }
}

function randomAsked(chance: Chance, messages: number): Asked {
  const pins =
    messages > 0 && chance.once(4)
      ? chance.times(chance.between(1, 3), () => chance.below(messages))
      : []
  return {
    ...(chance.once(3) ? {} : { system: systemOf(chance) }),
    ...(chance.once(2) ? {} : { tools: randomTools(chance) }),
    ...(pins.length === 0 ? {} : { pins: [...new Set(pins)].sort((left, right) => left - right) }),
    ...(chance.once(6) ? { profile: randomText(chance, chance.pick([20, 200, 2_000])) } : {}),
    ...(chance.once(5) ? { retrieved: retrieved(chance) } : {}),
    ...(chance.once(3) ? { policy: randomPolicy(chance) } : {}),
    ...(chance.once(6) ? { compaction: chance.pick(['on', 'off', 'shadow']) } : {}),
    ...(chance.once(8) ? { compact: true } : {}),
  }
}

function systemOf(chance: Chance): NonNullable<Asked['system']> {
  if (chance.once(8)) return anyText(chance)
  const text = plainWords(chance, chance.pick([10, 60, 200, 900]))
  if (chance.once(4))
    return [
      { type: 'text', text, metadata: { anthropic: { cache_control: { type: 'ephemeral' } } } },
      { type: 'text', text: 'Be brief.', metadata: null },
    ]
  return text
}

/** Some of others, and those of ours that a context tells the model of. */
function randomTools(chance: Chance): readonly ToolSchema[] {
  const others = chance.times(chance.between(0, 4), (at) => tool(chance, at))
  return chance.once(2) ? [...others, ...recallToolSchemas().slice(chance.below(2))] : others
}

function tool(chance: Chance, at: number): ToolSchema {
  const properties: JsonObject = {
    path: { type: 'string', description: plainWords(chance, chance.pick([10, 80])) },
  }
  return {
    name: `${chance.pick(['read_file', 'search', 'run'])}_${at}`,
    description: chance.once(8)
      ? randomText(chance, 40)
      : plainWords(chance, chance.pick([20, 150])),
    ...(chance.once(5) ? {} : { parameters: { type: 'object', properties, required: ['path'] } }),
  }
}

function retrieved(chance: Chance): NonNullable<Asked['retrieved']> {
  if (chance.once(3)) return anyText(chance)
  return chance.times(chance.between(1, 4), (at) => ({
    text: anyText(chance),
    ...(chance.once(2) ? { id: `doc-${at}` } : {}),
    ...(chance.once(2) ? { title: randomText(chance, 20) } : {}),
  }))
}

const past: readonly Slot['kind'][] = ['summary', 'ledger', 'files']
const sharing: readonly Slot['kind'][] = ['profile', 'retrieved', ...past]
const movable: readonly Slot['kind'][] = [
  ...(['profile', 'pins', 'earlier', 'recent', 'retrieved'] as const),
  ...past,
]

function randomPolicy(chance: Chance): NonNullable<Asked['policy']> {
  if (chance.once(4)) return chance.pick(['chat', 'coding', 'rule-digest'])
  // What stands for the past may be left out, all of it or a part.
  const gone = chance.once(4) ? chance.pick([past, ...past.map((kind) => [kind])]) : []
  const shuffled = movable
    .filter((kind) => !gone.includes(kind))
    .map((kind) => ({ kind, order: chance.below(1_000_000) }))
    .sort((left, right) => left.order - right.order)
    .map(({ kind }) => kind)
  const kinds: readonly Slot['kind'][] = ['system', ...shuffled, 'current']
  const slots = kinds.map((kind) =>
    sharing.includes(kind) ? { kind, share: { ratio: 0.2 } } : { kind },
  )
  const written: AdvancedPolicyOptions = {
    derivedRole: chance.pick(['user-message', 'system-message', 'merged-into-system']),
    ...(chance.once(2) ? { slots } : {}),
  }
  return {
    name: 'shuffled',
    ...(chance.once(3) ? { keepRecent: randomTail(chance) } : {}),
    ...(chance.once(3) ? { triggers: randomTriggers(chance) } : {}),
    advanced: {
      ...written,
      ...(chance.once(4) ? { guards: { cooldownMessages: chance.between(0, 8) } } : {}),
      ...(chance.once(4) ? { trim: { order: 'age', keepErrors: chance.once(2) } } : {}),
    },
  }
}

function randomTail(chance: Chance): Preset['keepRecent'] {
  const count = chance.between(2, 12)
  return chance.pick<Preset['keepRecent']>([
    { messages: count },
    { turns: count },
    { exchanges: count },
    { tokens: count * 100 },
  ])
}

function randomTriggers(chance: Chance): Preset['triggers'] {
  const ratio = { kind: 'tokenRatio', at: 0.6, reset: 0.5, of: 'available' } as const
  return chance.pick([
    [],
    [ratio],
    [{ kind: 'messages', since: chance.between(1, 20) }],
    [{ kind: 'onTrim' }, { kind: 'periodic', messages: chance.between(1, 20) }],
    [{ kind: 'all', of: [ratio, { kind: 'turns', since: 2 }] }],
  ])
}

const windowsPerCase = 12
const leastWindow = 300
const mostWindow = 12_000

/** Tiny ones, ones that the history is many times too long for, and ones that hold it all. */
function windowsFor(chance: Chance, messages: readonly MessageInput[]): readonly number[] {
  const tokens = Math.ceil(JSON.stringify(messages).length / 3)
  const shares = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.5]
  const windows = [
    ...chance.times(windowsPerCase - shares.length, () => chance.between(leastWindow, 900)),
    ...shares.map((share) => Math.floor(tokens * share * (0.7 + chance.below(60) / 100))),
  ]
  return windows.map((window) =>
    window > mostWindow
      ? mostWindow - chance.below(mostWindow / 2)
      : Math.max(window, leastWindow + chance.below(200)),
  )
}
