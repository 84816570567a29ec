/**
 * Survival at any place of a conversation that is lived through: of the names that the assistant
 * needs next and that stood only before, those that stand in what the model sees now. The names
 * of a message are looked for once, however many places are asked about.
 */

import { neededNames, type ScoredMessage } from './study.ts'
import { identifiersOf, standsIn } from './used-identifiers.ts'

export interface Survived {
  readonly needed: number
  readonly shown: number
  /** Of those, how many stand in as much text right before the place. */
  readonly inTail: number
}

export interface SurvivalAlong {
  /** Places come in their order. Null where so little is needed that a share of it says nothing. */
  at(place: number, replacement: string): Survived | null
}

const messagesCounted = 60
const leastNeeded = 5

export function survivalAlong(
  messages: readonly ScoredMessage[],
  workingFolder: string,
): SurvivalAlong {
  const names = new Map<number, ReadonlySet<string>>()
  const namesAt = (place: number): ReadonlySet<string> => {
    const found = names.get(place) ?? identifiersOf(messages[place]?.text ?? '', workingFolder)
    names.set(place, found)
    return found
  }
  const known = new Set<string>()
  let seen = 0
  return {
    at: (place, replacement) => {
      for (; seen < place; seen += 1) {
        for (const name of namesAt(seen)) known.add(name)
        // It is known now, and never behind a place again.
        names.delete(seen)
      }
      const behind = messages
        .slice(place, place + messagesCounted)
        .map(({ isAssistant }, index) => ({ isAssistant, names: namesAt(place + index) }))
      const needed = [...neededNames(behind, known)]
      if (needed.length < leastNeeded) return null
      const tail = tailOf(messages, place, replacement.length)
      return {
        needed: needed.length,
        shown: needed.filter((name) => standsIn(name, replacement)).length,
        inTail: needed.filter((name) => standsIn(name, tail)).length,
      }
    },
  }
}

/** As many characters as asked for, right before a place. */
function tailOf(messages: readonly ScoredMessage[], place: number, characters: number): string {
  const texts: string[] = []
  let left = characters
  for (let at = place - 1; at >= 0 && left > 0; at -= 1) {
    const text = messages[at]?.text ?? ''
    texts.unshift(text.slice(-left))
    left -= text.length + 1
  }
  return texts.join('\n')
}
