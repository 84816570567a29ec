/** What stands behind a handle, for doors of ours that do more than a handle offers. */
import { describe } from '../domain/describe.ts'
import type { ConversationId } from '../domain/ids.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

export interface Inside {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly front: Front
}

const insides = new WeakMap<object, Inside>()

export function withInside<Handle extends object>(handle: Handle, inside: Inside): Handle {
  insides.set(handle, inside)
  return handle
}

export function insideOf(handle: object, where: string): Inside {
  const inside = typeof handle === 'object' && handle !== null ? insides.get(handle) : undefined
  if (inside === undefined)
    throw invalidOption(
      `${where} takes a conversation, as tl.conversation(id) gives it, got ${describe(handle)}`,
    )
  return inside
}
