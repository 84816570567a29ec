/** One message that is too large to be shown, told in chunks until what they tell is short enough for its stub. */
import type { Part } from '../../domain/message.ts'
import { textsOfOutput } from '../../domain/output-texts.ts'
import type { SummaryTree, ToldMessage } from '../../ports/summary-style.ts'
import type { Entry } from '../transcript/entry.ts'
import { setOff } from '../transcript/set-off.ts'
import { writtenWithNames } from '../transcript/written.ts'
import { chunkTree } from './chunk-tree.ts'

const chunkTokens = 4_000
// With the words around it still below 500.
const enoughTokens = 480

export const messageTree: SummaryTree = chunkTree({
  chunkTokens,
  enoughTokens,
  entries: ({ messages }) => messages.map(entryOf),
  write: writtenWithNames,
})

/** Whole, what a tool said too: it is this message that is asked about. */
function entryOf({ seq, role, author, status, parts }: ToldMessage): Entry {
  const text = setOff(parts.flatMap(textsOf).join('\n').toWellFormed())
  return { seq, role, author, incomplete: status === 'incomplete', text, part: null }
}

/** Documents are looked up anew, and thinking is nobody's business. */
function textsOf(part: Part): readonly string[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'tool-result' ? textsOfOutput(part.output) : []
}
