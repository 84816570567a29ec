/** A request opens and ends with words that are not the assistant's: providers refuse others. */
import type { ContextMessage, Repair } from '../../domain/context.ts'
import { textPart } from '../text/sanitize-message.ts'
import { derived } from './slots.ts'

interface Ended {
  readonly messages: readonly ContextMessage[]
  readonly repairs: readonly Repair[]
  readonly endingMessages: number
}

export function withEnds(messages: readonly ContextMessage[]): Ended {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const opening = spoken.length > 0 && spoken[0]?.role !== 'user'
  const ending = spoken.length === 0 || spoken.at(-1)?.role === 'assistant'
  const repairs: Repair[] = []
  if (opening) repairs.push({ kind: 'opening-added', seq: null })
  if (ending) repairs.push({ kind: 'ending-added', seq: null })
  return {
    messages: [
      ...(opening ? [derived('earlier', [textPart('[the conversation begins]')])] : []),
      ...messages,
      ...(ending ? [derived('current', [textPart('[no new message: go on]')])] : []),
    ],
    repairs,
    endingMessages: ending ? 1 : 0,
  }
}
