/** Measures what a request contains beside the messages of the log, and fills the caller's texts. */
import {
  addSizes,
  type ContextMessage,
  noSize,
  type Size,
  type SlotKind,
} from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, TextPart } from '../../domain/message.ts'
import { type Policy, resolveAmount } from '../../domain/policy.ts'
import type { OfferedTools } from '../../domain/recall.ts'
import type { ExtensionContent } from '../../ports/context-extension.ts'
import type { ContextRequest } from '../check/check-request.ts'
import type { Meter } from '../measure/measure.ts'
import { wireFrame } from '../measure/measure-data.ts'
import type { BudgetPlan, ProtectedSizes } from '../measure/plan-budget.ts'
import type { fillExtension } from './extension-slots.ts'
import {
  type Filled,
  type FilledExtension,
  missingNote,
  noExtension,
  omittedExtension,
  pinBlock,
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

/** The larger of two sizes: of the message at its own position, or of its pin block. */
export function pinnedSize(message: Message, meter: Meter): Size {
  const inPlace = meter.size(message)
  const block = meter.size(pinBlock(message))
  const tokens = Math.max(inPlace.tokens, block.tokens)
  return { tokens, wire: Math.max(inPlace.wire, block.wire) }
}

export function systemSize(system: readonly TextPart[], meter: Meter): Size {
  return addSizes(
    system.map(({ text, metadata }) => {
      const size = meter.systemSize(text)
      const metadataTokens = metadata === null ? 0 : meter.text(JSON.stringify(metadata))
      return { tokens: size.tokens, wire: size.wire + metadataTokens }
    }),
  )
}

/** The size of the request without any content. */
export function requestFrame({ card }: Meter): Size {
  return { tokens: card.overhead.perRequestTokens, wire: card.overhead.perRequestTokens + 10 }
}

/** Providers require a message, so adapters write a short one into an empty conversation. */
export function fillerSize(messages: readonly ContextMessage[]): Size {
  return messages.length > 0 ? noSize : { tokens: 0, wire: wireFrame.filler }
}

/** The caller's texts for this request, and the blocks of the context extension. */
export interface SuppliedTexts {
  readonly profile: Filled
  readonly retrieved: Filled
  readonly extension: ShownExtension
  readonly size: Size
}

export interface ShownExtension extends FilledExtension {
  /** The extension describes the messages before this position. */
  readonly coveredTo: Seq
}

interface SuppliedInput {
  readonly request: Pick<ContextRequest, 'profile' | 'retrieved'>
  /** Null if the policy has no slot for it. */
  readonly extension: ExtensionContent | null
  readonly coveredTo: Seq
  readonly policy: Policy
  readonly meter: Meter
}

/** Fills the caller's texts within the shares of their slots, and the extension within its own. */
export async function measureSupplied(
  { request, extension, coveredTo, policy, meter }: SuppliedInput,
  plan: Pick<BudgetPlan, 'freeTokens' | 'tokensAgainstLimit' | 'limitTokens'>,
  sizes: ProtectedSizes,
): Promise<SuppliedTexts> {
  const { freeTokens } = plan
  const shareOf = (kind: SlotKind) => {
    const share = policy.slots.find((slot) => slot.kind === kind)?.share
    return share === undefined ? freeTokens : resolveAmount(share, freeTokens)
  }
  const { profile, retrieved } = await fillTexts(request, shareOf, meter)
  const messages = [...profile.messages, ...retrieved.messages]
  const protectedSize = addSizes([sizes.system, sizes.tools, sizes.pins])
  const freeOfLimit = plan.limitTokens - plan.tokensAgainstLimit(protectedSize)
  const limits = {
    tokens: freeTokens * extensionShare,
    fits: (size: Size) => plan.tokensAgainstLimit(size) <= freeOfLimit * extensionShare,
  }
  const filled = extension === null ? noExtension : await fill(extension, limits, meter)
  const shown = { ...filled, coveredTo: filled.messages.length === 0 ? 0 : coveredTo }
  const size = addSizes([...messages.map((message) => meter.size(message)), shown.size])
  return { profile, retrieved, extension: shown, size }
}

async function fillTexts(
  { profile, retrieved }: SuppliedInput['request'],
  shareOf: (kind: SlotKind) => number,
  { text: count }: Meter,
): Promise<Pick<SuppliedTexts, 'profile' | 'retrieved'>> {
  // Most requests have none, and do not load the code.
  if (profile === '' && retrieved.length === 0) return { profile: emptySlot, retrieved: emptySlot }
  const { fillProfile, fillRetrieved } = await import('./supplied-slots.ts')
  return {
    profile: fillProfile(profile, shareOf('profile'), count),
    retrieved: fillRetrieved(retrieved, shareOf('retrieved'), count),
  }
}

/** Most programs have no extension, so the code is loaded with the first one. */
const fill = async (...all: Parameters<typeof fillExtension>) =>
  (await import('./extension-slots.ts')).fillExtension(...all)

// The other half stays for the messages.
const extensionShare = 0.5

/** The first degradation: without the caller's texts, but still with the extension. */
export function withoutTexts({ extension }: SuppliedTexts): SuppliedTexts {
  return { profile: emptySlot, retrieved: emptySlot, extension, size: extension.size }
}

/** The next degradation: without the extension too. */
export function withoutExtension(supplied: SuppliedTexts): SuppliedTexts {
  const { extension } = supplied
  return extension.messages.length === 0
    ? supplied
    : withoutTexts({ ...supplied, extension: { ...omittedExtension(extension), coveredTo: 0 } })
}

const emptySlot: Filled = { messages: [], omitted: [] }

/** The size of the note about missing messages. */
export function notesSize(line: number, offered: OfferedTools | null, meter: Meter): Size {
  if (line === 0 && offered === null) return noSize
  return meter.size(missingNote(line === 0 ? null : { from: 0, to: line }, true, offered))
}
