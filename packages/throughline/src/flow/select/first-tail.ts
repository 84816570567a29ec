/** The tail that a selection begins with: what the policy asks for, as far as there is room. */
import type { KeepRecent } from '../../domain/policy.ts'
import { indexesOf, type Selection } from './selection.ts'
import { tailFrom } from './tail.ts'
import type { Unit } from './units.ts'

export function firstTail(
  selection: Selection,
  keepRecent: KeepRecent,
  roomTokens: number,
): number {
  return tailFrom({
    units: selection.units,
    keepRecent,
    roomTokens,
    tokensOf: (unit) => selection.tokensOf(unit),
    messagesIn: (unit) => selection.messagesIn(unit),
    answers: (unit) => hasAnswer(selection, unit),
  })
}

function hasAnswer(selection: Selection, unit: Unit): boolean {
  return indexesOf(unit).some((at) => {
    const message = selection.candidate(at)?.message
    return message?.role === 'assistant' && message.parts.some(({ type }) => type === 'text')
  })
}
