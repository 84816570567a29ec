/** Everything shown, as a view: kept where somebody went back to it, so that it is not taken for forgotten. */
import type { View } from '../../domain/view.ts'

export const everything = {
  line: 0,
  keeps: [],
  stubs: [],
  past: null,
  next: null,
  squeezed: null,
  // It ends when the request is full, however much that is more than it began with.
  beganTokens: 0,
} as const satisfies Partial<View>

/** Whatever it was made for, another basis would not show more. */
export function showsAll({ line, stubs, past, next, squeezed }: View): boolean {
  return line === 0 && stubs.length === 0 && past === null && next === null && squeezed === null
}
