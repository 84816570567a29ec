/** What a view shows, as the request that it would be. */

import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Size } from '../../domain/size.ts'
import type { View } from '../../domain/view.ts'
import { breakpointsTokens, type Shown, show } from '../assemble/render.ts'
import { pinBlock } from '../assemble/slots.ts'
import type { Considered, Held, Projecting, Selected } from './records.ts'

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

/** What was selected, as the request that it would be. */
export function showSelected(
  input: Projecting,
  held: Held,
  { candidates, task }: Considered,
  selected: Shows,
): Shown {
  const stubbed = new Set(selected.stubs.map(({ seq }) => seq))
  const messages = [...(task === null ? [] : [task]), ...candidates]
    .map(({ message }) => message)
    .filter(({ seq }) => seq >= selected.line || selected.keeps.includes(seq))
    .filter(({ seq }) => !stubbed.has(seq))
  return showView(input, held, selected, messages)
}

/**
 * The message that would come next, in a view: a view is of the log, and what has no place
 * in the log yet may never get it. So it stands apart, and is found again when it came.
 */
export function nextOf({ next }: Projecting): readonly Message[] {
  return next === null ? [] : [next.message]
}

export type Kept = Pick<View, 'line' | 'keeps' | 'stubs' | 'next'>

export function withNextApart({ line, keeps, stubs }: Selected, { log, next }: Projecting): Kept {
  const stub = stubs.find(({ seq }) => seq === log.head) ?? null
  const isShort = stub !== null || line > log.head
  return {
    line: Math.min(line, log.head),
    keeps: keeps.filter((seq) => seq < log.head),
    stubs: stubs.filter(({ seq }) => seq < log.head),
    next:
      next === null || !isShort ? null : { seq: log.head, hash: next.message.hashes.content, stub },
  }
}

/** A view with what was to come next among its stubs, where that is what came. */
export function withNext(
  { line, keeps, stubs, next, past }: View,
  messages: readonly Message[],
): { readonly selected: Shows; readonly messages: readonly Message[] } {
  const isNext = ({ seq, hashes }: Message) =>
    next !== null && seq === next.seq && hashes.content === next.hash
  if (next === null || !messages.some(isNext))
    return { selected: { line, keeps, stubs, past }, messages }
  return {
    selected:
      next.stub === null
        ? { line: next.seq + 1, keeps, stubs, past }
        : { line, keeps, stubs: [...stubs, next.stub], past },
    messages: messages.filter((message) => !isNext(message)),
  }
}
