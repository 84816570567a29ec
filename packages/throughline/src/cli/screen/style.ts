/** Colours where they are wanted, and signs with their ASCII replacements. */
import { styleText } from 'node:util'
import type { Output } from '../world.ts'

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan', 'magenta'] as const

const signs = {
  full: ['█', '#'],
  empty: ['░', '.'],
  more: ['…', '...'],
  dot: ['·', '-'],
  arrow: ['→', '->'],
  yes: ['✓', 'ok'],
  no: ['✗', 'no'],
  warning: ['!', '!'],
  minus: ['−', '-'],
} as const

export type Paint = Readonly<Record<(typeof formats)[number], (text: string) => string>>

export type Style = Paint & Readonly<Record<keyof typeof signs, string>>

export function styleOf({ colours, unicode }: Pick<Output, 'colours' | 'unicode'>): Style {
  return styles[colours ? 1 : 0][unicode ? 1 : 0]
}

const styles = [
  [made(false, false), made(false, true)],
  [made(true, false), made(true, true)],
] as const

function made(colours: boolean, unicode: boolean): Style {
  // Whether an output has colours is already decided, so the stream is not asked.
  const paint = (format: (typeof formats)[number]) => (text: string) =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text
  const entries = [
    ...formats.map((format) => [format, paint(format)]),
    ...Object.entries(signs).map(([name, [drawn, ascii]]) => [name, unicode ? drawn : ascii]),
  ]
  return Object.fromEntries(entries) as Style
}
