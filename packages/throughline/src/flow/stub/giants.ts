/**
 * Messages of a view that are so large that a digest is worth its calls, and that have none
 * in their stubs. Large for themselves, because a digest has some hundred tokens; and large for
 * the window, because what is smaller finds room in it mostly, and sessions with tools are
 * full of such messages, each of which would have to be paid for.
 */
import { defaults } from '../../defaults.ts'
import type { Seq } from '../../domain/ids.ts'
import type { View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import { holdsDigest } from './stub-made.ts'

export function giantsIn({ stubs }: Pick<View, 'stubs'>, { card }: Meter): readonly Seq[] {
  const { giantTokens, giantRatio } = defaults
  const most = Math.max(giantTokens.value, card.contextWindowTokens * giantRatio.value)
  return stubs.filter((stub) => stub.wholeTokens > most && !holdsDigest(stub)).map(({ seq }) => seq)
}
