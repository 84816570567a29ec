/** Colours, where they are wanted. */
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

export type Paint = Readonly<Record<keyof typeof formats, (text: string) => string>>

export function paintOf({ colours }: Pick<Output, 'colours'>): Paint {
  return colours ? painted : plain
}

const painted = made(
  ([opens, closes]) =>
    (text) =>
      text === '' ? text : `\u001b[${opens}m${text}\u001b[${closes}m`,
)

const plain = made(() => (text) => text)

function made(how: (format: readonly [number, number]) => (text: string) => string): Paint {
  const entries = Object.entries(formats).map(([name, format]) => [name, how(format)])
  // Made from the names of the table.
  return Object.fromEntries(entries) as Paint
}

/** Signs that are drawn with, and what stands for them where only ASCII is shown. */
interface Signs {
  readonly full: string
  readonly empty: string
  readonly more: string
  readonly dot: string
  readonly arrow: string
  readonly rule: string
  readonly yes: string
  readonly no: string
  readonly warning: string
  readonly times: string
  readonly minus: string
}

export function signsOf({ unicode }: Pick<Output, 'unicode'>): Signs {
  return unicode ? drawn : ascii
}

const drawn: Signs = {
  full: '█',
  empty: '░',
  more: '…',
  dot: '·',
  arrow: '→',
  rule: '─',
  yes: '✓',
  no: '✗',
  warning: '!',
  times: '×',
  minus: '−',
}

const ascii: Signs = {
  full: '#',
  empty: '.',
  more: '...',
  dot: '-',
  arrow: '->',
  rule: '-',
  yes: 'ok',
  no: 'no',
  warning: '!',
  times: 'x',
  minus: '-',
}
