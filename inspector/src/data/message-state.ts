/** What a model sees of a message. */
import type { View } from './types.ts'

export type MessageState = 'summarized' | 'rules' | 'kept' | 'stub' | 'whole'

export const stateTexts: Readonly<Record<MessageState, string>> = {
  summarized: 'dropped: in the model’s summary',
  rules: 'dropped: in the digest',
  kept: 'shown whole (kept)',
  stub: 'shortened',
  whole: 'shown whole',
}

export function stateOf(view: View | null, seq: number): MessageState {
  if (view === null) return 'whole'
  const { kept, stubbed } = placesOf(view)
  if (stubbed.has(seq)) return 'stub'
  if (seq >= view.line) return 'whole'
  if (kept.has(seq)) return 'kept'
  return seq < (view.history?.written?.to ?? 0) ? 'summarized' : 'rules'
}

interface Places {
  readonly kept: ReadonlySet<number>
  readonly stubbed: ReadonlySet<number>
}

/** Cached, because each row in sight asks with each frame. */
function placesOf(view: View): Places {
  const known = placesByView.get(view)
  if (known !== undefined) return known
  const places = {
    kept: new Set(view.keeps),
    stubbed: new Set(view.stubs.map(({ seq }) => seq)),
  }
  placesByView.set(view, places)
  return places
}

const placesByView = new WeakMap<View, Places>()
