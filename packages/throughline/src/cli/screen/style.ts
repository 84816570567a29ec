/** Colours where they are wanted, and signs with what replaces them where only ASCII is shown. */
import type { Output } from '../world.ts'

/** A sign that opens each, and one that closes it: what is painted inside another keeps the other. */
const formats = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  magenta: [35, 39],
} as const

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

export type Paint = Readonly<Record<keyof typeof formats, (text: string) => string>>

export type Style = Paint & Readonly<Record<keyof typeof signs, string>>

export function styleOf({ colours, unicode }: Pick<Output, 'colours' | 'unicode'>): Style {
  return styles[colours ? 1 : 0][unicode ? 1 : 0]
}

const styles = [
  [made(false, false), made(false, true)],
  [made(true, false), made(true, true)],
] as const

function made(colours: boolean, unicode: boolean): Style {
  const paint = ([opens, closes]: readonly [number, number]) =>
    colours
      ? (text: string) => (text === '' ? text : `\u001b[${opens}m${text}\u001b[${closes}m`)
      : (text: string) => text
  const entries = [
    ...Object.entries(formats).map(([name, format]) => [name, paint(format)]),
    ...Object.entries(signs).map(([name, [drawn, ascii]]) => [name, unicode ? drawn : ascii]),
  ]
  // Made from the names of the tables.
  return Object.fromEntries(entries) as Style
}
