/** What a view shows, as the request that it would be. */
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Size } from '../../domain/size.ts'
import type { View } from '../../domain/view.ts'
import { breakpointsTokens, type Shown, show } from '../assemble/show.ts'
import { pinBlock } from '../assemble/slots.ts'
import type { Held, Projecting } from './projecting.ts'

/** Which messages a view shows, and how. */
export type Shows = Pick<View, 'line' | 'keeps' | 'stubs' | 'past'>

export function showView(
  { request, policy, meter, inserts }: Projecting,
  { supplied, offered, pinned, sizes, plan }: Held,
  view: Shows,
  messages: readonly Message[],
): Shown {
  const { profile, retrieved, extension } = supplied
  const { system } = request
  const { tools } = sizes
  const fits = (size: Size) => plan.hard(size) + breakpointsTokens <= plan.hardTokens
  return show({
    view,
    messages,
    pinned,
    profile,
    retrieved,
    extension,
    system,
    offered,
    tools,
    inserts,
    policy,
    meter,
    fits,
  })
}

export function pinSizes({ meter }: Projecting, { pinned }: Held): ReadonlyMap<Seq, Size> {
  return new Map(pinned.map((message) => [message.seq, meter.closeSize(pinBlock(message))]))
}
