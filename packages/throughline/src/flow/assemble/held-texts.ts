/** What a request holds besides the messages of the log: measured, and cut to its share. */
import { resolveAmount } from '../../domain/amount.ts'
import type { SlotKind } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, TextPart } from '../../domain/message.ts'
import type { Policy } from '../../domain/policy.ts'
import type { OfferedTools } from '../../domain/recall-tools.ts'
import { addSizes, noSize, type Size } from '../../domain/size.ts'
import type { ContextRequest } from '../check/check-request.ts'
import type { Meter } from '../measure/measure.ts'
import type { BudgetPlan, ProtectedSizes } from '../measure/plan-budget.ts'
import {
  type FilledMemory,
  fillMemory,
  type MemoryRoom,
  type MemoryToTell,
  noMemory,
  untold,
} from './memory-slots.ts'
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

/** What the caller supplies for the request, and what a turn memory tells. */
export interface SuppliedTexts {
  readonly profile: Filled
  readonly retrieved: Filled
  readonly memory: ToldMemory
  readonly size: Size
}

export interface ToldMemory extends FilledMemory {
  /** Messages of the log before this place are told by it. */
  readonly to: Seq
}

export interface ToSupply {
  readonly request: Pick<ContextRequest, 'profile' | 'retrieved'>
  /** Null where nothing is remembered, or the policy does not show it. */
  readonly memory: MemoryToTell | null
  readonly floor: Seq
  readonly policy: Policy
  readonly meter: Meter
}

/** The caller's texts, each within the share of its slot, and the memory within its own. */
export function measureSupplied(
  { request, memory, floor, policy, meter }: ToSupply,
  /** Without any of it. */
  plan: Pick<BudgetPlan, 'freeTokens' | 'hard' | 'hardTokens'>,
  held: ProtectedSizes,
): SuppliedTexts {
  const { freeTokens } = plan
  const shareOf = (kind: SlotKind) => {
    const share = policy.slots.find((slot) => slot.kind === kind)?.share
    return share === undefined ? freeTokens : resolveAmount(share, freeTokens)
  }
  const profile = fillProfile(request.profile, shareOf('profile'), meter.text)
  const retrieved = fillRetrieved(request.retrieved, shareOf('retrieved'), meter.text)
  const messages = [...profile.messages, ...retrieved.messages]
  const filled = memory === null ? noMemory : fillMemory(memory, memoryRoom(plan, held), meter)
  const told = { ...filled, to: filled.messages.length === 0 ? 0 : floor }
  const size = addSizes([...messages.map((message) => meter.size(message)), told.size])
  return { profile, retrieved, memory: told, size }
}

/** Beside what is remembered there is as much room for what goes on. */
function memoryRoom(
  { freeTokens, hard, hardTokens }: Pick<BudgetPlan, 'freeTokens' | 'hard' | 'hardTokens'>,
  { system, tools, pins }: ProtectedSizes,
): MemoryRoom {
  const free = hardTokens - hard(addSizes([system, tools, pins]))
  return { tokens: freeTokens * memoryShare, fits: (size) => hard(size) <= free * memoryShare }
}

const memoryShare = 0.5

/** Where even a short text is too much; what is remembered stays longest. */
export function withoutTexts({ memory }: SuppliedTexts): SuppliedTexts {
  return { profile: nothing, retrieved: nothing, memory, size: memory.size }
}

export function withoutMemory(supplied: SuppliedTexts): SuppliedTexts {
  const { memory } = supplied
  return memory.messages.length === 0
    ? supplied
    : withoutTexts({ ...supplied, memory: { ...untold(memory), to: 0 } })
}

const nothing: Filled = { messages: [], omitted: [] }

/** Of all that is said beside the messages where some are not shown. */
export function noteSize(line: number, offered: OfferedTools | null, meter: Meter): Size {
  return addSizes([
    line === 0 ? noSize : meter.size(earlierNote(line, [line])),
    offered === null ? noSize : meter.size(recallNote(offered)),
  ])
}
