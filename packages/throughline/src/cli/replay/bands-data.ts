/** The bands in which a window and a log are drawn, and their signs. */
import type { Paint } from '../screen/style.ts'

/** The bands of the window, in the order in which they are drawn. */
export const windowBands = ['protected', 'history', 'recalled', 'recent'] as const

/** All other sections belong to the history, also the blocks of a context extension. */
export const bandOfSection: Readonly<Record<string, (typeof windowBands)[number]>> = {
  system: 'protected',
  tools: 'protected',
  profile: 'protected',
  pins: 'protected',
  recalled: 'recalled',
  retrieved: 'recalled',
  earlier: 'recent',
  recent: 'recent',
  current: 'recent',
}

/** The signs differ even without colours. */
export const bandSigns = {
  protected: ['▓', '%', 'magenta'],
  history: ['▒', '=', 'cyan'],
  recalled: ['▚', '+', 'yellow'],
  recent: ['█', '#', 'green'],
  free: ['░', '.', 'dim'],
  reserve: [' ', ' ', 'dim'],
  summarized: ['░', '.', 'cyan'],
  kept: ['▀', 'k', 'green'],
  stub: ['▄', 's', 'yellow'],
  whole: ['█', '#', 'green'],
} as const satisfies Record<string, readonly [unicode: string, ascii: string, paint: keyof Paint]>
