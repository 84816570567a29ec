/** The bands of a window and of a log: what goes into them, and how they are drawn. */
import type { Paint } from '../screen/style.ts'

/** What the window is made of, in the order in which it is drawn. */
export const windowBands = ['protected', 'past', 'recalled', 'recent'] as const

/** What is in no other band describes the past, also the blocks of a context extension. */
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

/** Told apart also where there are no colours. */
export const bandSigns = {
  protected: ['▓', '%', 'magenta'],
  past: ['▒', '=', 'cyan'],
  recalled: ['▚', '+', 'yellow'],
  recent: ['█', '#', 'green'],
  free: ['░', '.', 'dim'],
  reserve: [' ', ' ', 'dim'],
  told: ['░', '.', 'cyan'],
  kept: ['▀', 'k', 'green'],
  stub: ['▄', 's', 'yellow'],
  whole: ['█', '#', 'green'],
} as const satisfies Record<string, readonly [unicode: string, ascii: string, paint: keyof Paint]>
