/** What a view shows, as the request that it would be. */

import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Size } from '../../domain/size.ts'
import type { View } from '../../domain/view.ts'
import { breakpointsTokens, type RenderedRequest, show } from '../assemble/render.ts'
import { pinBlock } from '../assemble/slots.ts'
import type { Candidates, ContextInputs, FixedParts, Selected } from './records.ts'

/** Which messages a view shows, and how. */
export type Shows = Pick<View, 'line' | 'keeps' | 'stubs' | 'past'>

export function renderView(
  { request, policy, meter, inserts }: ContextInputs,
  { supplied, offered, pinned, sizes, plan }: FixedParts,
  view: Shows,
  messages: readonly Message[],
): RenderedRequest {
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

export function pinSizes({ meter }: ContextInputs, { pinned }: FixedParts): ReadonlyMap<Seq, Size> {
  return new Map(pinned.map((message) => [message.seq, meter.closeSize(pinBlock(message))]))
}

/** What was selected, as the request that it would be. */
export function renderSelected(
  input: ContextInputs,
  held: FixedParts,
  { candidates, task }: Candidates,
  selected: Shows,
): RenderedRequest {
  const stubbed = new Set(selected.stubs.map(({ seq }) => seq))
  const messages = [...(task === null ? [] : [task]), ...candidates]
    .map(({ message }) => message)
    .filter(({ seq }) => seq >= selected.line || selected.keeps.includes(seq))
    .filter(({ seq }) => !stubbed.has(seq))
  return renderView(input, held, selected, messages)
}

/**
 * The message that would come next, in a view: a view is of the log, and what has no place
 * in the log yet may never get it. So it stands apart, and is found again when it came.
 */
export function nextOf({ next }: ContextInputs): readonly Message[] {
  return next === null ? [] : [next.message]
}

export type Kept = Pick<View, 'line' | 'keeps' | 'stubs' | 'next'>

export function withNextApart(
  { line, keeps, stubs }: Selected,
  { log, next }: ContextInputs,
): Kept {
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
