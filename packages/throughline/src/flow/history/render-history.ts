import type { Seq } from '../../domain/ids.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import { type RenderToolLines, toolLinesRenderer } from '../digest/digest-text.ts'
import { filesRenderer } from '../files/render-files.ts'
import { changedBasis } from '../project/basis.ts'
import type {
  Candidates,
  ContextInputs,
  SelectedMessages,
  SelectedView,
} from '../project/records.ts'
import { cacheReads } from '../read/readers.ts'
import { factsExtractor } from './extract-facts.ts'
import { type HistoryLimits, hasRoom, scaledLimits } from './history-limits.ts'
import { renderHistoryBlocks } from './render-blocks.ts'
import { showsSummary, styledSummary } from './styled-summary.ts'

export interface HistoryRenderer {
  hasRoomIn(limits: HistoryLimits): boolean
  /** `share` is the share of the limits that the block may use. */
  render(
    selecting: Pick<SelectedView, 'selected' | 'shown' | 'candidates'>,
    limits: HistoryLimits,
    share: number,
    /** A summary that has just been written. */
    written?: SummaryRecord | null,
  ): Promise<Pick<SelectedView, 'history' | 'facts' | 'summary'>>
}

export function historyRenderer(input: ContextInputs): HistoryRenderer {
  const { log, meter } = input
  const derived = cacheReads(input.derived)
  const factsTo = factsExtractor(log, derived)
  const summaryBefore = async (line: Seq) => {
    const record = await derived.summaryBefore(line)
    return showsSummary(record, input.styles) ? record : null
  }
  const toolLines = toolLinesOf(input)
  const files = filesRenderer(log, meter)
  return {
    hasRoomIn: (limits) => hasRoom(limits) || toolLines !== null,
    render: async ({ selected, shown, candidates }, limits, share, written = null) => {
      if (log.head === 0 || (selected.line === 0 && selected.stubs.length === 0))
        return { history: null, facts: null, summary: null }
      // The ledger covers all messages, because later ones change earlier entries.
      const facts = await factsTo(log.head)
      const summary = written ?? (await summaryBefore(selected.line))
      const userTextTokens = Math.max(
        limits.userTextTokens * minUserTextShare,
        limits.userTextTokens - keptTokens(selected, candidates),
      )
      const rendered = await renderHistoryBlocks(facts, selected, {
        limits: scaledLimits({ ...limits, userTextTokens }, share),
        meter,
        messages: shown.rendered.map(({ message }) => message),
        toolLines,
        written: styledSummary(summary, input.styles),
        coveredTo: input.coveredTo,
        files,
      })
      const { view, now } = input
      const history = rendered && {
        ...rendered,
        createdAt: view?.history?.createdAt ?? now,
        updatedAt: now,
      }
      return { history, facts, summary }
    },
  }
}

/** One long kept message must leave room for rules and the first words of all others. */
const minUserTextShare = 0.75

/** Null if the policy asks for a chronicle. */
function toolLinesOf({ log, view, policy, basis, meter }: ContextInputs): RenderToolLines | null {
  const { narrative } = policy
  if (narrative.style === 'chronicle') return null
  const isRewritten = view !== null && changedBasis(view, basis) === 'history-changed'
  const previous = isRewritten ? null : (view?.history?.digest ?? null)
  return toolLinesRenderer(log, previous, narrative, meter)
}

/** The size of the kept messages; most of them are user messages. */
function keptTokens({ keeps, stubs }: SelectedMessages, { candidates, task }: Candidates): number {
  const all = task === null ? candidates : [...candidates, task]
  const sizes = new Map(all.map(({ message, size }) => [message.seq, size.tokens]))
  for (const { seq, size } of stubs) sizes.set(seq, size.tokens)
  return keeps.reduce((sum, seq) => sum + (sizes.get(seq) ?? 0), 0)
}
