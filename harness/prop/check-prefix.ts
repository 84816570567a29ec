/** One request begins with the messages of the one before it, or says why it does not. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Context,
  type ContextMessage,
  type PolicyInput,
  policies,
  type SlotKind,
} from 'throughline'
import { type Fields, fieldsIn, isFields } from './check-text.ts'
import { type Provider, providers } from './providers.ts'
import { type Violation, violation } from './tally.ts'

export function checkPrefix(
  before: Context,
  now: Context,
  policy: PolicyInput = 'balanced',
): readonly Violation[] {
  const stands =
    isDeepStrictEqual(before.system, now.system) &&
    isDeepStrictEqual(before.tools, now.tools) &&
    beginsWith(now.messages, lasting(before, policy))
  if (now.brokenBy === null && now.prefixOf !== before.fingerprint)
    return [violation('prefix', `unbroken, and yet prefixOf is ${now.prefixOf}`)]
  if (now.brokenBy !== null && now.prefixOf !== null)
    return [violation('prefix', `broken by ${now.brokenBy}, and yet it names a prefix`)]
  if (now.brokenBy === null && !stands) return [violation('prefix', differing(before, now, policy))]
  return checkWirePrefix(before, now, lasting(before, policy))
}

/** Without what was found for that request alone, and without an ending that was only added. */
function lasting({ messages, repairs }: Context, policy: PolicyInput): readonly ContextMessage[] {
  const given = typeof policy === 'string' ? policies[policy] : policy
  const slots = given.advanced?.slots ?? policies[given.extends ?? 'balanced'].advanced.slots
  const order: readonly SlotKind[] = slots.map(({ kind }) => kind)
  // What stands behind the messages moves with each of them.
  const behind: readonly SlotKind[] = order
    .slice(order.indexOf('recent') + 1)
    .filter((kind) => kind !== 'current')
  const volatileFrom = messages.findIndex(({ slot }) => behind.includes(slot))
  if (volatileFrom !== -1) return messages.slice(0, volatileFrom)
  return repairs.some(({ kind }) => kind === 'ending-added') ? messages.slice(0, -1) : messages
}

function beginsWith(
  messages: readonly ContextMessage[],
  first: readonly ContextMessage[],
): boolean {
  return first.every((message, at) => isDeepStrictEqual(sent(messages[at]), sent(message)))
}

/** What is current today is recent tomorrow: nobody is sent the slot. */
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
    ? 'unbroken, and yet system or tools differ'
    : `unbroken, and yet message ${at} was ${show(before.messages[at])}, is ${show(now.messages[at])}`
}

/**
 * What providers are sent: where a request extends the one before it, so does every form that it
 * is written in, block by block. Text in a list of one is the same as text alone, and marks for
 * the cache move on by their nature.
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
    return [violation('prefix', `${provider.format}: unbroken, and yet block ${at} ${was}`)]
  })
}

/** Calls inside blocks that we do not know are sent only once they are answered. */
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
      .flatMap((said) => blocksOf('system', said)),
    ...[spoken].flat().flatMap((said) => blocksOf('user', said)),
  ]
  return [unmarked(tools ?? null), ...(blocks.at(-1) === nothing ? blocks.slice(0, -1) : blocks)]
}

/** A user's turn that says nothing, where the service wants one and there is none. */
const nothing = '["user","…"]'

function blocksOf(side: string, said: unknown): readonly string[] {
  if (said === undefined) return []
  if (!isFields(said)) return [unmarked([side, said])]
  const { role = side, content, parts, tool_calls, ...rest } = withoutMarks(said)
  const listed = [parts ?? content ?? []].flat()
  const blocks = [...listed, ...fieldsIn(tool_calls)].map((block) => unmarked([role, plain(block)]))
  const isBlock = listed.length === 0 || Object.keys(rest).length > 0
  return isBlock ? [unmarked([role, plain(rest)]), ...blocks] : blocks
}

/** Text with nothing on it. */
function plain(block: unknown): unknown {
  if (!isFields(block)) return block
  const { text, type: _, ...others } = withoutMarks(block)
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : block
}

function unmarked(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    isFields(field) ? withoutMarks(field) : field,
  )
}

function withoutMarks({ cache_control: _, providerOptions, ...block }: Fields): Fields {
  const { anthropic, ...others } = isFields(providerOptions) ? providerOptions : {}
  const { cacheControl: __, ...own } = isFields(anthropic) ? anthropic : {}
  const options = Object.keys(own).length === 0 ? others : { ...others, anthropic: own }
  return Object.keys(options).length === 0 ? block : { ...block, providerOptions: options }
}
