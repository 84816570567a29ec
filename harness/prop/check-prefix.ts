/** One request begins with the messages of the one before it, or says why it does not. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Context,
  type ContextMessage,
  type PolicyInput,
  policies,
  type SlotKind,
} from 'throughline'
import { checkWirePrefix } from './check-wire-prefix.ts'
import { type Violation, violation } from './violation.ts'

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
