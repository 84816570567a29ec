/** Colours, if enabled, and signs with their ASCII replacements. */
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
  [createStyle(false, false), createStyle(false, true)],
  [createStyle(true, false), createStyle(true, true)],
] as const

function createStyle(colours: boolean, unicode: boolean): Style {
  // The caller has already decided about colours, so the stream is not checked.
  const paint = (format: (typeof formats)[number]) => (text: string) =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text
  const entries = [
    ...formats.map((format) => [format, paint(format)]),
    ...Object.entries(signs).map(([name, [drawn, ascii]]) => [name, unicode ? drawn : ascii]),
  ]
  return Object.fromEntries(entries) as Style
}
