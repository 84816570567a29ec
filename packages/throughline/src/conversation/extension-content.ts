/** What the context extension answers for a request: its blocks, as far as the policy has slots for them. */

import { isCoreSlot } from '../domain/context.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { ContextRequest } from '../flow/check/check-request.ts'
import type { ContextExtension, ExtensionContent } from '../ports/context-extension.ts'
import type { TenantStore } from '../ports/store.ts'

/** A reader that nobody would read for is refused rather than ignored. */
export function checkReader(
  { memory }: Pick<ContextRequest, 'memory'>,
  policy: Pick<Policy, 'name' | 'slots'>,
  { slots }: Pick<ContextExtension, 'slots'>,
): void {
  if (memory === null || slotsOf(policy).size > 0) return
  throw invalidOption(
    `memory: policy "${policy.name}" has no slot that shows it; take the policy turn-memory, or name one of the slots ${slots.join(', ')}`,
  )
}

/** Null where the policy has no slot for it. */
export async function extensionContent(
  { store, id, request, policy }: Reading,
  extension: ContextExtension,
): Promise<ExtensionContent | null> {
  const slots = slotsOf(policy)
  if (slots.size === 0) return null
  const reader = request.memory ?? 'full'
  const content = await extension.content({ store, id, policy, reader })
  return { ...content, pieces: content.pieces.filter(({ slot }) => slots.has(slot)) }
}

interface Reading {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly policy: Policy
  readonly request: Pick<ContextRequest, 'memory'>
}

function slotsOf({ slots }: Pick<Policy, 'slots'>): ReadonlySet<string> {
  return new Set(slots.map(({ kind }) => kind).filter((kind) => !isCoreSlot(kind)))
}
