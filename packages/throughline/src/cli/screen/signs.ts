/** Signs that are drawn with, and what stands for them where only ASCII is shown. */
import type { Output } from '../world.ts'

export interface Signs {
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
