/** Each request starts with the messages of the previous one, or names what broke the prefix. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Context,
  type ContextMessage,
  type PolicyInput,
  policies,
  type SlotKind,
} from 'throughline'
import { type Fields, fieldsIn, isObject } from './check-text.ts'
import { type Provider, providers } from './providers.ts'
import { type Violation, violation } from './tally.ts'

export function checkPrefix(
  before: Context,
  now: Context,
  policy: PolicyInput = 'balanced',
): readonly Violation[] {
  const isKept =
    isDeepStrictEqual(before.system, now.system) &&
    isDeepStrictEqual(before.tools, now.tools) &&
    beginsWith(now.messages, lasting(before, policy))
  if (now.brokenBy === null && now.prefixOf !== before.fingerprint)
    return [violation('prefix', `not broken, but prefixOf is ${now.prefixOf}`)]
  if (now.brokenBy !== null && now.prefixOf !== null)
    return [violation('prefix', `broken by ${now.brokenBy}, but it names a prefix`)]
  if (now.brokenBy === null && !isKept) return [violation('prefix', differing(before, now, policy))]
  return checkWirePrefix(before, now, lasting(before, policy))
}

/** Without what was recalled for that request alone, and without an added ending. */
function lasting({ messages, repairs }: Context, policy: PolicyInput): readonly ContextMessage[] {
  const given = typeof policy === 'string' ? policies[policy] : policy
  const slots = given.advanced?.slots ?? policies[given.extends ?? 'balanced'].advanced.slots
  const order: readonly SlotKind[] = slots.map(({ kind }) => kind)
  // Slots after the messages move with each of them.
  const after: readonly SlotKind[] = order
    .slice(order.indexOf('recent') + 1)
    .filter((kind) => kind !== 'current')
  const volatileFrom = messages.findIndex(({ slot }) => after.includes(slot))
  if (volatileFrom !== -1) return messages.slice(0, volatileFrom)
  return repairs.some(({ kind }) => kind === 'ending-added') ? messages.slice(0, -1) : messages
}

function beginsWith(
  messages: readonly ContextMessage[],
  first: readonly ContextMessage[],
): boolean {
  return first.every((message, at) => isDeepStrictEqual(sent(messages[at]), sent(message)))
}

/** A current message later becomes recent, but providers never receive the slot. */
function sent(message: ContextMessage | undefined): unknown {
  if (message === undefined) return null
  const { slot: _, ...rest } = message
  return rest
}

function differing(before: Context, now: Context, policy: PolicyInput): string {
  const at = lasting(before, policy).findIndex(
    (message, index) => !isDeepStrictEqual(sent(now.messages[index]), sent(message)),
  )
  const show = (message: ContextMessage | undefined) =>
    JSON.stringify(sent(message) ?? null).slice(0, 160)
  return at === -1
    ? 'not broken, but system or tools differ'
    : `not broken, but message ${at} was ${show(before.messages[at])}, is ${show(now.messages[at])}`
}

/**
 * If a request extends the previous one, so must every provider format, block by block. Text in a
 * list of one equals text alone, and cache marks move by design.
 */
function checkWirePrefix(
  before: Context,
  now: Context,
  lasting: readonly ContextMessage[],
): readonly Violation[] {
  if (now.prefixOf !== before.fingerprint || waitsInside(lasting)) return []
  return providers.flatMap((provider) => {
    const first = wireBlocks(provider, { ...before, messages: lasting })
    const next = wireBlocks(provider, now)
    const at = first.findIndex((block, index) => block !== next[index])
    if (at === -1) return []
    const was = `was ${first[at]?.slice(0, 160)}, is ${next[at]?.slice(0, 160)}`
    return [violation('prefix', `${provider.format}: not broken, but block ${at} ${was}`)]
  })
}

/** Calls inside unknown blocks are sent only after they are answered. */
function waitsInside(messages: readonly ContextMessage[]): boolean {
  const ids = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'opaque' ? (/"call_id":"[^"]*"/.exec(part.json) ?? []) : [],
    ),
  )
  return ids.some((id) => ids.filter((other) => other === id).length % 2 === 1)
}

/** In the order in which providers read a request: tools, system, messages. */
function wireBlocks(provider: Provider, context: Context): readonly string[] {
  const { tools, messages, contents, input, system, instructions, systemInstruction } =
    provider.write(context) as Fields
  const spoken = messages ?? contents ?? input
  const blocks = [
    ...[system ?? instructions ?? systemInstruction]
      .flat()
      .flatMap((message) => blocksOf('system', message)),
    ...[spoken].flat().flatMap((message) => blocksOf('user', message)),
  ]
  return [unmarked(tools ?? null), ...(blocks.at(-1) === nothing ? blocks.slice(0, -1) : blocks)]
}

/** A placeholder for a user message that the service requires and the history lacks. */
const nothing = '["user","…"]'

function blocksOf(side: string, message: unknown): readonly string[] {
  if (message === undefined) return []
  if (!isObject(message)) return [unmarked([side, message])]
  const { role = side, content, parts, tool_calls, ...rest } = withoutMarks(message)
  const listed = [parts ?? content ?? []].flat()
  const blocks = [...listed, ...fieldsIn(tool_calls)].map((block) => unmarked([role, plain(block)]))
  const isBlock = listed.length === 0 || Object.keys(rest).length > 0
  return isBlock ? [unmarked([role, plain(rest)]), ...blocks] : blocks
}

/** Text without other fields. */
function plain(block: unknown): unknown {
  if (!isObject(block)) return block
  const { text, type: _, ...others } = withoutMarks(block)
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : block
}

function unmarked(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    isObject(field) ? withoutMarks(field) : field,
  )
}

function withoutMarks({ cache_control: _, providerOptions, ...block }: Fields): Fields {
  const { anthropic, ...others } = isObject(providerOptions) ? providerOptions : {}
  const { cacheControl: __, ...own } = isObject(anthropic) ? anthropic : {}
  const options = Object.keys(own).length === 0 ? others : { ...others, anthropic: own }
  return Object.keys(options).length === 0 ? block : { ...block, providerOptions: options }
}
