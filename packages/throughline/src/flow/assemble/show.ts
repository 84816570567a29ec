/** A view shown: its messages read, assembled, and the whole request measured. */
import type { ContextMessage } from '../../domain/context.ts'
import type { Message } from '../../domain/message.ts'
import type { Rendered } from '../../domain/rendered.ts'
import { addSizes, type Size } from '../../domain/size.ts'
import type { View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/log-reader.ts'
import { type Assembled, type AssembleInput, assemble } from './assemble.ts'
import { requestFrame, systemSize } from './held-texts.ts'
import { renderingOf } from './render.ts'

export interface Shown extends Omit<Assembled, 'messages'> {
  readonly rendered: readonly Rendered[]
  readonly size: Size
}

/** Four of them, as they are written: what is nearly full goes without. */
export const breakpointsTokens = 75

export type ShowInput = AssembleInput & {
  readonly tools: Size
  readonly meter: Meter
  readonly fits: (size: Size) => boolean
}

/** Everything is counted as it stands here, because mending adds to it. */
export function show({ tools, meter, fits, ...input }: ShowInput): Shown {
  const { messages, ...assembled } = assemble(input)
  const rendering = (sizeOf: Meter['size']) => renderingOf(input.messages, input.view.stubs, sizeOf)
  const bounded = messages.map(rendering(meter.size))
  const held = [requestFrame(meter), systemSize(assembled.system, meter), tools]
  const size = addSizes([...held, ...bounded.map((each) => each.size)])
  return { ...assembled, ...closer(bounded, size, { render: rendering(meter.closeSize), fits }) }
}

/**
 * Measured closely only as far as the bounds do not tell that it fits: the oldest first,
 * which were shown before and are known so already.
 */
function closer(
  bounded: readonly Rendered[],
  bound: Size,
  close: { readonly render: (message: ContextMessage) => Rendered; fits(size: Size): boolean },
): Pick<Shown, 'rendered' | 'size'> {
  let size = bound
  const rendered = bounded.map((each) => {
    if (each.size.wire === each.size.tokens || close.fits(size)) return each
    const closer = close.render(each.message)
    size = { tokens: size.tokens, wire: size.wire - each.size.wire + closer.size.wire }
    return closer
  })
  return { rendered, size }
}

/** The messages that a view shows whole. Those that it stubs are not read, however large. */
export async function readShown(
  log: LogReader,
  { line, keeps, stubs }: Pick<View, 'line' | 'keeps' | 'stubs'>,
): Promise<readonly Message[]> {
  const stubbed = stubs.map(({ seq }) => seq)
  const kept = keeps.filter((seq) => !stubbed.includes(seq))
  const before = await Promise.all(kept.map((seq) => log.read({ from: seq, to: seq + 1 }, [])))
  const above = stubbed.filter((seq) => seq >= line)
  return [...before.flat(), ...(await log.read({ from: line, to: log.head }, above))]
}
