/**
 * Documents that a conversation has used, by name and id. What stands in them is asked for
 * anew with each request, and would be out of place in a summary.
 */
import type { Part } from '../../domain/message.ts'
import type { SourceMessage } from '../../ports/summary-style.ts'
import { firstCodePoints, lineOfText } from '../answer-text.ts'

const titleCharacters = 200
// Beyond that it is a library, and the newest are what is talked about.
const mostReferences = 50

/** `grammar.pdf (ID: 123)`; null where the part is no document. */
export function referenceIn(part: Part): string | null {
  switch (part.type) {
    case 'resource-excerpt':
      return reference(part.resourceId, part.title)
    case 'attachment-ref':
      return reference(part.attachmentId, part.title)
    default:
      return null
  }
}

function reference(id: string, title: string | null): string {
  const short = (text: string) => firstCodePoints(lineOfText(text), titleCharacters)
  const name = short(title ?? '')
  return name === '' ? `ID: ${short(id)}` : `${name} (ID: ${short(id)})`
}

/** Each once, the one that was used last at the end. */
export function referencesWith(
  known: readonly string[],
  messages: readonly Pick<SourceMessage, 'parts'>[],
): readonly string[] {
  const used = new Set<string>()
  const found = messages.flatMap(({ parts }) => parts.flatMap((part) => referenceIn(part) ?? []))
  for (const each of [...known, ...found]) {
    used.delete(each)
    used.add(each)
  }
  return [...used].slice(-mostReferences)
}
