/** One message that is too large to be shown, told in chunks until what they tell is short enough for its stub. */
import type { SummaryTree } from '../../ports/summary-style.ts'
import { writtenWithNames } from '../transcript/written.ts'
import { chunkTree } from './chunk-tree.ts'

const chunkTokens = 4_000
// With the words around it still below 500.
const enoughTokens = 480

export const messageTree: SummaryTree = chunkTree({
  chunkTokens,
  enoughTokens,
  entries: () => [],
  write: writtenWithNames,
})
