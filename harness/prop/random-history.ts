/**
 * Histories: mostly turns as agents make them, with everything in between that goes
 * wrong in practice. A log takes whatever comes, and so do these.
 */
import type { MessageInput, PartInput, Role } from 'throughline'
import type { Chance } from '../kernel/chance.ts'
import {
  callPart,
  filePart,
  type Making,
  opaquePart,
  reasoningPart,
  resultPart,
  sidePart,
  textPart,
  toolMark,
} from './random-parts.ts'
import { anyText, randomText } from './random-text.ts'

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

/** Calls and their results: at once, one by one, in the user's name, late, or never. */
function step(making: Making, late: OpenCall[]): readonly MessageInput[] {
  const { chance } = making
  const calls = chance.times(chance.pick([1, 1, 1, 2, 3, 5]), () => newCall(making))
  const said: PartInput[] = []
  if (chance.once(3)) said.push(reasoningPart(making))
  if (chance.once(15)) said.push(opaquePart(making))
  if (chance.once(2)) said.push(textPart(making))
  said.push(...calls.map(({ callId, name }) => callPart(making, callId, name)))
  const answered = calls.filter((call) => {
    if (!chance.once(14)) return true
    if (chance.once(2)) late.push(call)
    return false
  })
  const results = answered.map(({ callId, name }) => resultPart(making, callId, name))
  const ordered = chance.once(5) ? results.toReversed() : results
  return [{ role: 'assistant', content: said }, ...answers(making, ordered)]
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

/** What a sound program does not write. */
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

/** One message of 0.2 to 4 MB at any place. */
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
