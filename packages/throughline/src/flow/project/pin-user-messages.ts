/**
 * Pins user messages up to the share that the policy allows, oldest first because they state the
 * task. A pin is never replaced by a newer one, which would end the epoch. Each position is
 * visited once, so an unpinned message stays unpinned.
 */
import type { Seq } from '../../domain/ids.ts'
import { type Amount, resolveAmount } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import { measureProtected, pinnedSize } from '../assemble/fixed-texts.ts'
import type { ContextRequest } from '../check/check-request.ts'
import { planBudget } from '../measure/plan-budget.ts'
import { readPins } from '../read/readers.ts'
import type { ContextInputs } from './records.ts'

type PinInputs = Pick<ContextInputs, 'log' | 'meter' | 'policy' | 'calibration'> & {
  /** Messages before this place were visited by earlier requests. */
  readonly pinnedTo: Seq
  readonly request: Pick<ContextRequest, 'system' | 'tools' | 'replyTokens'>
}

export interface PolicyPins {
  /** All pins, old and new; omitted if there is no new one. */
  readonly pins?: readonly Seq[]
  readonly pinnedTo: Seq
}

/** Null if there is nothing to commit. */
export async function pinUserMessages(input: PinInputs): Promise<PolicyPins | null> {
  const { log, pinnedTo, meter, policy } = input
  if (policy.pinUserMessages === null || pinnedTo >= log.head) return null
  let roomTokens = shareTokens(policy.pinUserMessages, input)
  for (const message of await readPins(log)) roomTokens -= pinnedSize(message, meter).tokens
  const added: Seq[] = []
  for (let from = pinnedTo; from < log.head; from += pageMessages) {
    const page = await log.read({ from, to: Math.min(log.head, from + pageMessages) }, log.pins)
    for (const message of page) {
      if (!isSpoken(message) || message.parts.length === 0) continue
      const { tokens } = pinnedSize(message, meter)
      if (tokens > roomTokens) continue
      added.push(message.seq)
      roomTokens -= tokens
    }
  }
  // Without a new pin, commit only if the next request would otherwise read many messages again.
  if (added.length === 0) return log.head - pinnedTo < pageMessages ? null : { pinnedTo: log.head }
  const pins = [...log.pins, ...added].sort((left, right) => left - right)
  return { pins, pinnedTo: log.head }
}

const pageMessages = 200

/** Pins are always sent whole; with more than half of the room they would displace the conversation. */
const maxPinShare = 0.5

function shareTokens(
  share: Amount,
  { request, meter, policy, calibration }: Omit<PinInputs, 'log' | 'pinnedTo'>,
): number {
  const sizes = measureProtected(request, [], meter)
  const { replyTokens } = request
  const { freeTokens } = planBudget(meter, policy, sizes, calibration, { replyTokens })
  return Math.min(resolveAmount(share, freeTokens), Math.floor(freeTokens * maxPinShare))
}
