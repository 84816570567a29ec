/** A view shown: its messages read, assembled, and the whole request measured. */
import type { Message } from '../domain/message.ts'
import { addSizes, type Size } from '../domain/size.ts'
import type { View } from '../domain/view.ts'
import { type Assembled, type AssembleInput, assemble } from './assemble.ts'
import type { LogReader } from './log-reader.ts'
import type { Meter } from './measure.ts'
import { requestFrame, systemSize } from './measure-held.ts'

export interface Shown extends Assembled {
  readonly size: Size
}

export type ShowInput = Omit<AssembleInput, 'sizeOf'> & {
  readonly tools: Size
  readonly meter: Meter
  readonly fits: (size: Size) => boolean
}

/** Measured closely only where a bound does not tell that it fits. */
export function show({ tools, meter, fits, ...input }: ShowInput): Shown {
  const assembled = assemble({ ...input, sizeOf: meter.size })
  const size = sizeOf(assembled, tools, meter)
  if (fits(size)) return { ...assembled, size }
  const close = assemble({ ...input, sizeOf: meter.closeSize })
  return { ...close, size: sizeOf(close, tools, meter) }
}

function sizeOf({ system, rendered }: Assembled, tools: Size, meter: Meter): Size {
  const messages = rendered.map(({ size }) => size)
  return addSizes([requestFrame(meter), systemSize(system, meter), tools, ...messages])
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
