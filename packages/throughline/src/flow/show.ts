/** A view shown: its messages read, assembled, and the whole request measured. */
import type { Message } from '../domain/message.ts'
import type { Rendered } from '../domain/rendered.ts'
import { addSizes, type Size } from '../domain/size.ts'
import type { View } from '../domain/view.ts'
import { type Assembled, type AssembleInput, assemble } from './assemble.ts'
import type { LogReader } from './log-reader.ts'
import type { Meter } from './measure.ts'
import { requestFrame, systemSize } from './measure-held.ts'
import { rendering } from './render.ts'

export interface Shown extends Omit<Assembled, 'messages'> {
  readonly rendered: readonly Rendered[]
  readonly size: Size
}

export type ShowInput = AssembleInput & {
  readonly tools: Size
  readonly meter: Meter
  readonly fits: (size: Size) => boolean
}

/**
 * Everything is counted as it stands here, because mending adds to it; closely only where
 * a bound does not tell that it fits.
 */
export function show({ tools, meter, fits, ...input }: ShowInput): Shown {
  const { messages, ...assembled } = assemble(input)
  const held = [requestFrame(meter), systemSize(assembled.system, meter), tools]
  const measured = (sizeOf: Meter['size']): Shown => {
    const rendered = messages.map(rendering(input.messages, input.view.stubs, sizeOf))
    const size = addSizes([...held, ...rendered.map((each) => each.size)])
    return { ...assembled, rendered, size }
  }
  const shown = measured(meter.size)
  return fits(shown.size) ? shown : measured(meter.closeSize)
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
