/** What gives way where nothing fits. */
import type { Policy } from '../../domain/policy.ts'
import type { View } from '../../domain/view.ts'
import { withoutExtension, withoutTexts } from '../assemble/held-texts.ts'
import type { Held, Projecting } from './projecting.ts'

/** What is done where nothing fits, in this order. */
export function squeezes({ supplied }: Pick<Held, 'supplied'>): readonly View['squeezed'][] {
  const isShown = supplied.extension.messages.length > 0
  return [
    null,
    'texts',
    'texts and role',
    ...(isShown ? (['texts, role and memory'] as const) : []),
  ]
}

/**
 * The last resorts: without the caller's texts and our advice, no note told as the system's word,
 * and in the end without the blocks of the extension.
 */
export function squeeze(
  input: Projecting,
  held: Held,
  squeezed: View['squeezed'],
): { readonly input: Projecting; readonly held: Held } {
  if (squeezed === null) return { input, held }
  const texts = withoutTexts(held.supplied)
  const supplied = squeezed === 'texts, role and memory' ? withoutExtension(texts) : texts
  const less = { ...held, supplied, offered: null }
  if (squeezed === 'texts') return { input, held: less }
  const policy: Policy = { ...input.policy, derivedRole: 'user-message' }
  return { input: { ...input, policy }, held: less }
}
