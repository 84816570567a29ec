/** A stub of several messages at once. */

import { noSize } from '../../domain/context.ts'
import { dataBlock } from '../../domain/data-block.ts'
import { shortHash } from '../../domain/hash.ts'
import { type Part, toldText } from '../../domain/message.ts'
import { anchorOf } from '../../domain/span.ts'
import type { StubbedMessage } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import { excerpt } from '../text/excerpt.ts'
import { outputText } from './shorten.ts'
import type { Whole } from './stub.ts'
import { leastTold, unitMade } from './stub-made.ts'

/**
 * A whole unit as one text, for one that is too large even when each of its messages is
 * short: many calls at once, or sealed blocks. The text comes with its first message,
 * and what it tells is data.
 */
export function stubUnit(
  messages: readonly Whole[],
  keepTokens: number,
  meter: Meter,
): readonly StubbedMessage[] {
  const [first] = messages
  const last = messages.at(-1)
  if (first === undefined || last === undefined) return []
  const anchor = anchorOf({ from: first.seq, to: last.seq + 1 })
  const text = shortText(messages, anchor, keepTokens, meter)
  return messages.map((message) => {
    const parts = message === first ? [toldText(text)] : []
    return {
      seq: message.seq,
      role: 'user',
      author: null,
      parts,
      size: message === first ? meter.closeSize({ role: 'user', author: null, parts }) : noSize,
      hash: message === first ? shortHash(text) : anchor,
      made: unitMade,
      wholeTokens: meter.message(message),
    }
  })
}

function shortText(
  messages: readonly Whole[],
  anchor: string,
  keepTokens: number,
  meter: Meter,
): string {
  if (keepTokens < leastTold) return `[left out; whole in ${anchor}]`
  const each = Math.max(leastEach, Math.floor(keepTokens / messages.length))
  const lines = messages.flatMap(({ parts }) => parts.flatMap((part) => shortPart(part, each)))
  const note = (characters: number) => `\n[… ${characters} characters …]\n`
  const text = excerpt(lines.join('\n'), { keepTokens, count: meter.text, note })
  return dataBlock(`in short; whole in ${anchor}`, text)
}

const leastEach = 6
const charactersPerToken = 4

function shortPart(part: Part, tokens: number): readonly string[] {
  const cut = (text: string) => text.slice(0, tokens * charactersPerToken).toWellFormed()
  switch (part.type) {
    case 'text':
      return [cut(part.text)]
    case 'tool-call':
      return [`${part.name} ${cut(part.input)}`]
    case 'tool-result':
      return [`→ ${cut(outputText(part.output, 0))}`]
    case 'reasoning':
    case 'file':
    case 'resource-excerpt':
    case 'attachment-ref':
    case 'opaque':
      return []
  }
}
