/** A random case: a history, the other parts of a request, and the windows to fit it in. */
import {
  type AdvancedPolicyOptions,
  type FitInput,
  type JsonObject,
  type MessageInput,
  type PartInput,
  type Preset,
  type Role,
  recallToolSchemas,
  type Slot,
  type ToolSchema,
} from 'throughline'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import { nativeHistory } from './native-history.ts'
import {
  anyText,
  callPart,
  filePart,
  type Making,
  opaquePart,
  plainWords,
  randomText,
  reasoningPart,
  resultPart,
  sidePart,
  textPart,
  toolMark,
} from './random-parts.ts'

export interface Case {
  readonly seed: number
  readonly kind: 'made' | 'native'
  readonly messages: readonly MessageInput[]
  /** All inputs of `fit` except the messages and the model. */
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

/** Tools of the application, and our own tools that a context announces. */
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

const historySlots: readonly Slot['kind'][] = ['summary', 'ledger', 'files']
const sharing: readonly Slot['kind'][] = ['profile', 'retrieved', ...historySlots]
const movable: readonly Slot['kind'][] = [
  ...(['profile', 'pins', 'earlier', 'recent', 'retrieved'] as const),
  ...historySlots,
]

function randomPolicy(chance: Chance): NonNullable<Asked['policy']> {
  if (chance.once(4)) return chance.pick(['chat', 'coding', 'rule-digest'])
  // The policy may omit the history block, wholly or in part.
  const gone = chance.once(4)
    ? chance.pick([historySlots, ...historySlots.map((kind) => [kind])])
    : []
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

/** Tiny windows, windows that the history exceeds many times, and windows that hold it all. */
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

/**
 * Random histories: mostly ordinary agent turns, with everything that goes wrong in practice. A log
 * accepts anything, and so do these.
 */
interface OpenCall {
  readonly callId: string
  readonly name: string
}

export function randomHistory(chance: Chance): readonly MessageInput[] {
  const making: Making = { chance, count: 0 }
  const length = chance.once(3) ? chance.between(0, 40) : chance.between(0, 16)
  const messages: MessageInput[] = []
  const late: OpenCall[] = []
  while (messages.length < length) messages.push(...turn(making, late))
  const cut = messages.slice(0, length)
  return chance.once(giantInTimes) && cut.length > 0 ? withGiant(chance, cut) : cut
}

const giantInTimes = 200

function turn(making: Making, late: OpenCall[]): readonly MessageInput[] {
  const { chance } = making
  if (chance.once(14)) return [oddity(making, late)]
  const messages: MessageInput[] = chance.once(8) ? [] : [userMessage(making)]
  for (const _ of chance.times(chance.pick([0, 0, 1, 1, 2, 4]), () => null))
    messages.push(...step(making, late))
  if (!chance.once(6)) messages.push(named(chance, 'assistant', replyParts(making)))
  if (chance.once(15)) messages.push({ role: 'system', content: anyText(chance) })
  return messages
}

function userMessage(making: Making): MessageInput {
  const { chance } = making
  if (chance.once(2)) return named(chance, 'user', anyText(chance))
  const parts = chance.times(chance.between(0, 3), () =>
    chance.once(3) ? chance.pick([filePart(chance), sidePart(making)]) : textPart(making),
  )
  return named(chance, 'user', parts)
}

function named(chance: Chance, role: Role, content: MessageInput['content']): MessageInput {
  if (!chance.once(10)) return { role, content }
  const author = chance.pick(['Ada', 'Grace Hopper', randomText(chance, chance.pick([10, 500]))])
  return chance.once(6)
    ? { role, content, author, status: 'incomplete' }
    : { role, content, author }
}

function replyParts(making: Making): MessageInput['content'] {
  const { chance } = making
  if (chance.once(3)) return anyText(chance)
  const parts = chance.times(chance.between(1, 3), () => textPart(making))
  if (chance.once(12)) return [...parts, opaquePart(making)]
  return chance.once(4) ? [reasoningPart(making), ...parts] : parts
}

/** Calls and their results: together, one by one, in the user's name, late, or never. */
function step(making: Making, late: OpenCall[]): readonly MessageInput[] {
  const { chance } = making
  const calls = chance.times(chance.pick([1, 1, 1, 2, 3, 5]), () => newCall(making))
  const content: PartInput[] = []
  if (chance.once(3)) content.push(reasoningPart(making))
  if (chance.once(15)) content.push(opaquePart(making))
  if (chance.once(2)) content.push(textPart(making))
  content.push(...calls.map(({ callId, name }) => callPart(making, callId, name)))
  const answered = calls.filter((call) => {
    if (!chance.once(14)) return true
    if (chance.once(2)) late.push(call)
    return false
  })
  const results = answered.map(({ callId, name }) => resultPart(making, callId, name))
  const ordered = chance.once(5) ? results.toReversed() : results
  return [{ role: 'assistant', content: content }, ...answers(making, ordered)]
}

function newCall({ chance, ...making }: Making): OpenCall {
  const fresh = `call_${making.count}_${chance.below(1_000_000)}`
  const callId = chance.once(15)
    ? chance.pick(['call_1', 'same', 'a b|c', `${randomText(chance, 9)}!`, 'x'.repeat(300)])
    : fresh
  const name = chance.once(12)
    ? chance.pick(['functions.read', 'é', `n${randomText(chance, 200)}`, 'read file'])
    : chance.pick(['read_file', 'search', 'run'])
  return { callId, name }
}

function answers(making: Making, results: readonly PartInput[]): readonly MessageInput[] {
  const { chance } = making
  if (results.length === 0) return []
  const inUsersName = chance.once(6)
  if (inUsersName) {
    const text = chance.once(2) ? [textPart(making)] : []
    return [
      { role: 'user', content: chance.once(4) ? [...text, ...results] : [...results, ...text] },
    ]
  }
  if (chance.once(2)) return [{ role: 'tool', content: results }]
  return results.map((result) => ({ role: 'tool', content: [result] }))
}

/** Messages that a correct program does not write. */
function oddity(making: Making, late: OpenCall[]): MessageInput {
  const { chance } = making
  const waiting = late.shift()
  if (waiting !== undefined)
    return { role: 'tool', content: [resultPart(making, waiting.callId, waiting.name)] }
  const { callId, name } = newCall(making)
  return chance.pick<() => MessageInput>([
    () => ({ role: 'tool', content: [resultPart(making, callId, name)] }),
    () => ({ role: 'user', content: [callPart(making, callId, name)] }),
    () => ({ role: chance.pick(['user', 'assistant', 'tool', 'system']), content: [] }),
    () => ({ role: chance.pick(['user', 'assistant', 'system']), content: '' }),
    () => ({ role: 'tool', content: `${toolMark} words without a call` }),
    () => ({ role: 'system', content: [resultPart(making, callId, name)] }),
    () => ({ role: 'user', content: [opaquePart(making), reasoningPart(making)] }),
    () => ({ role: 'assistant', content: [filePart(chance), sidePart(making)] }),
    () => ({
      role: 'assistant',
      content: [callPart(making, callId, name), resultPart(making, callId, name)],
    }),
    () => ({ role: 'assistant', content: [resultPart(making, callId, name)] }),
  ])()
}

/** One message of 0.2 to 4 MB at a random position. */
function withGiant(chance: Chance, messages: readonly MessageInput[]): readonly MessageInput[] {
  const at = chance.below(messages.length)
  const length = chance.between(200_000, chance.once(4) ? 4_000_000 : 600_000)
  const piece = `${randomText(chance, 5_000)} `
  const text = piece.repeat(Math.ceil(length / piece.length))
  const giant = chance.pick<() => MessageInput>([
    () => ({ role: 'user', content: text }),
    () => ({ role: 'assistant', content: text }),
    () => ({ role: 'system', content: text }),
    () => ({
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'giant', name: 'write', input: { text } }],
    }),
    () => ({
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'giant', output: `${toolMark} ${text}` }],
    }),
  ])()
  return messages.with(at, giant)
}
