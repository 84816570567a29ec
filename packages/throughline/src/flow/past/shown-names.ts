/** The exact names in messages as they are shown: what stands there need not be told beside. */
import type { Part } from '../../domain/message.ts'
import { exactNamesOf } from '../../extract/exact-names.ts'
import { outputText } from '../../extract/tool-use.ts'

export function shownNames(
  messages: readonly { readonly parts: readonly Part[] }[],
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { parts } of messages)
    for (const part of parts) for (const name of namesIn(part)) names.add(name)
  return names
}

// Most messages are shown in the next round and in the next epoch too.
const known = new WeakMap<Part, readonly string[]>()

function namesIn(part: Part): readonly string[] {
  const found = known.get(part) ?? exactNamesOf(textOf(part)).map(({ text }) => text)
  known.set(part, found)
  return found
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
      return part.text
    case 'tool-call':
      return part.input
    case 'tool-result':
      return outputText(part.output)
    // Reasoning is not given back by every provider.
    case 'reasoning':
    case 'attachment-ref':
    case 'file':
    case 'opaque':
      return ''
  }
}
