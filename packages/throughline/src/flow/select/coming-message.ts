/**
 * The message that would come next, in a view: a view is of the log, and what has no place
 * in the log yet may never get it. So it stands apart, and is found again when it came.
 */
import type { Message } from '../../domain/message.ts'
import type { View } from '../../domain/view.ts'
import type { Projecting } from '../project/projecting.ts'
import type { Shows } from '../project/show-view.ts'
import type { Selected } from './selection.ts'

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
