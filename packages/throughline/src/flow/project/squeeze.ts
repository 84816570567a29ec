/** What gives way where nothing fits. */
import type { Policy } from '../../domain/policy.ts'
import type { View } from '../../domain/view.ts'
import { withoutMemory, withoutTexts } from '../assemble/held-texts.ts'
import type { Held, Projecting } from './projecting.ts'

/** What is done where nothing fits, in this order. */
export function squeezes({ supplied }: Pick<Held, 'supplied'>): readonly View['squeezed'][] {
  const isTold = supplied.memory.messages.length > 0
  return [null, 'texts', 'texts and role', ...(isTold ? (['texts, role and memory'] as const) : [])]
}

/**
 * The last resorts: without the caller's texts and our advice, no note told as the system's word,
 * and in the end nothing of what is remembered either.
 */
export function squeeze(
  input: Projecting,
  held: Held,
  squeezed: View['squeezed'],
): { readonly input: Projecting; readonly held: Held } {
  if (squeezed === null) return { input, held }
  const texts = withoutTexts(held.supplied)
  const supplied = squeezed === 'texts, role and memory' ? withoutMemory(texts) : texts
  const less = { ...held, supplied, offered: null }
  if (squeezed === 'texts') return { input, held: less }
  const policy: Policy = { ...input.policy, derivedRole: 'user-message' }
  return { input: { ...input, policy }, held: less }
}
