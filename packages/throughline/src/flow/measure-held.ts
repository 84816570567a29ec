/** What a request holds besides the messages of the log: measured, and cut to its share. */
import { resolveAmount } from '../domain/amount.ts'
import type { SlotKind } from '../domain/context.ts'
import type { Message, TextPart } from '../domain/message.ts'
import type { Policy } from '../domain/policy.ts'
import type { OfferedTools } from '../domain/recall-tools.ts'
import { addSizes, noSize, type Size } from '../domain/size.ts'
import type { Meter } from './measure.ts'
import type { ProtectedSizes } from './plan-budget.ts'
import type { ContextRequest } from './request.ts'
import {
  earlierNote,
  type Filled,
  fillProfile,
  fillRetrieved,
  pinBlock,
  recallNote,
} from './slots.ts'

export function measureProtected(
  request: Pick<ContextRequest, 'system' | 'tools'>,
  pinned: readonly Message[],
  meter: Meter,
): ProtectedSizes {
  return {
    system: systemSize(request.system, meter),
    tools: request.tools.length === 0 ? noSize : meter.toolsSize(request.tools),
    pins: addSizes(pinned.map((message) => pinnedSize(message, meter))),
  }
}

/** At its place or in a block of its own: the larger of the two. */
export function pinnedSize(message: Message, meter: Meter): Size {
  return larger(meter.size(message), meter.size(pinBlock(message)))
}

function larger(left: Size, right: Size): Size {
  return {
    tokens: Math.max(left.tokens, right.tokens),
    wire: Math.max(left.wire, right.wire),
  }
}

export function systemSize(system: readonly TextPart[], meter: Meter): Size {
  return addSizes(
    system.map(({ text, metadata }) => {
      const size = meter.systemSize(text)
      const notes = metadata === null ? 0 : meter.text(JSON.stringify(metadata))
      return { tokens: size.tokens, wire: size.wire + notes }
    }),
  )
}

/** The frame of the request itself. */
export function requestFrame({ card }: Meter): Size {
  return { tokens: card.overhead.perRequestTokens, wire: card.overhead.perRequestTokens + 10 }
}

export interface SuppliedTexts {
  readonly profile: Filled
  readonly retrieved: Filled
  readonly size: Size
}

const nothing: Filled = { messages: [], omitted: [] }

/** The caller's texts, each within the share of its slot. */
export function measureSupplied(
  request: Pick<ContextRequest, 'profile' | 'retrieved'>,
  freeTokens: number,
  policy: Policy,
  meter: Meter,
): SuppliedTexts {
  const shareOf = (kind: SlotKind) => {
    const share = policy.slots.find((slot) => slot.kind === kind)?.share
    return share === undefined ? freeTokens : resolveAmount(share, freeTokens)
  }
  const profile = fillProfile(request.profile, shareOf('profile'), meter.text)
  const retrieved = fillRetrieved(request.retrieved, shareOf('retrieved'), meter.text)
  const messages = [...profile.messages, ...retrieved.messages]
  return { profile, retrieved, size: addSizes(messages.map((message) => meter.size(message))) }
}

/** Where even a short text is too much. */
export const noSupplied: SuppliedTexts = { profile: nothing, retrieved: nothing, size: noSize }

/** Of all that is said beside the messages where some are not shown. */
export function noteSize(line: number, offered: OfferedTools | null, meter: Meter): Size {
  return addSizes([
    line === 0 ? noSize : meter.size(earlierNote(line, [line])),
    offered === null ? noSize : meter.size(recallNote(offered)),
  ])
}
