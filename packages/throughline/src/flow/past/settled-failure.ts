/** Which failure a fact settles: a failure is one until the same thing goes well. */
import type { Fact } from '../../domain/fact.ts'
import { failureKey } from '../../extract/message-facts.ts'

/** The key of the failure; null where nothing went well. */
export function settledFailure(
  { kind, label, value }: Fact,
  timesDone: (did: string) => number,
): string | null {
  switch (kind) {
    case 'command':
      return wentWell(value) ? failureKey(label) : null
    case 'use':
      // The tool stands before what it was used on; a failure is known by the latter alone.
      return wentWell(value) ? label.slice(label.indexOf(' ') + 1) : null
    case 'file':
      // That a file can be read does not settle that it could not be edited.
      return timesDone(`${value}, failed`) > 0 ? label : null
    default:
      return null
  }
}

function wentWell(value: string): boolean {
  return (
    /^(?:ok|exit 0|nothing found|\d{1,15} (?:match|matches|line|lines))\b/.test(value) &&
    !/ [1-9]\d{0,15} failed\b/.test(value)
  )
}
