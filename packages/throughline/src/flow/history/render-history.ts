/** Renders the history block: the facts and files that it needs are loaded once, whatever is hidden. */
import type { ContextMessage } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { ShownView } from '../../domain/view.ts'
import { type RenderToolLines, toolLinesRenderer } from '../digest/digest-text.ts'
import { openFiles } from '../files/render-files.ts'
import { changedBasis } from '../project/basis.ts'
import type {
  Candidates,
  ContextInputs,
  SelectedMessages,
  SelectedView,
} from '../project/records.ts'
import { cacheReads } from '../read/readers.ts'
import type { Quotes } from '../select/select-options.ts'
import { factsExtractor, type HistoryFacts } from './extract-facts.ts'
import { type HistoryLimits, hasRoom, scaledLimits } from './history-limits.ts'
import { blockFrameTokens, renderHistoryBlocks } from './render-blocks.ts'
import { expectedCharacters } from './render-ledger.ts'
import { showsSummary, styledSummary } from './styled-summary.ts'

/**
 * Whether messages and block fill the target together. Published designs reserve the shares of the
 * block, and accept what it has beside them.
 */
export function sharesRoom({ fill, trim }: Pick<Policy, 'fill' | 'trim'>): boolean {
  return fill === 'target' && trim.order === 'share'
}

export interface History {
  /** What the block will have beside its quotes of the user, about. */
  readonly expectedTokens: number
  readonly quotes?: Quotes
  render(
    selecting: {
      readonly selected: SelectedMessages
      /** What the request shows of the log. */
      readonly messages: readonly Pick<ContextMessage, 'seq' | 'parts'>[]
    },
    /** Of the limits, the share that the block may use. */
    share: number,
    /** A summary that has just been written. */
    written?: SummaryRecord | null,
  ): Promise<Pick<SelectedView, 'history' | 'facts' | 'summary'>>
}

/** No block describes a request that shows every message whole. */
export function hidesNothing({ line, stubs }: Pick<ShownView, 'line' | 'stubs'>): boolean {
  return line === 0 && stubs.length === 0
}

export const noBlock = { history: null, facts: null, summary: null } as const

/** Null if there is no room for a block. */
export async function openHistory(
  input: ContextInputs,
  limits: HistoryLimits,
  loaded: Candidates,
): Promise<History | null> {
  const { log, meter, view, now } = input
  const toolLines = toolLinesOf(input)
  if (log.head === 0 || (!hasRoom(limits) && toolLines === null)) return null
  const derived = cacheReads(input.derived)
  const summaryBefore = async (line: Seq) => {
    const record = await derived.summaryBefore(line)
    return showsSummary(record, input.styles) ? record : null
  }
  // The ledger covers all messages, because later ones change earlier entries.
  const facts = await factsExtractor(log, derived, meter.card.contextWindowTokens)(log.head)
  const files = await openFiles(log, meter, limits.filesTokens)
  const expectedSizes = async () => {
    const summary = await summaryBefore(log.head)
    const summaryTokens =
      summary === null
        ? limits.summaryTokens
        : Math.min(limits.modelSummaryTokens, meter.text(summary.text))
    const ledgerCharacters = limits.ledgerTokens * ledgerCharactersPerToken
    const ledgerTokens =
      expectedCharacters(facts.ledger, ledgerCharacters) / ledgerCharactersPerToken
    const maxTokens = limits.userTextTokens
    return {
      expectedTokens:
        summaryTokens + ledgerTokens + files.expectedTokens + blockFrameTokens * blocks,
      quotes: { olderTokens: await olderUserTokens(facts, limits, loaded), maxTokens },
    }
  }
  return {
    ...(sharesRoom(input.policy)
      ? await expectedSizes()
      : { expectedTokens: limits.summaryTokens + limits.ledgerTokens + limits.filesTokens }),
    render: async ({ selected, messages }, share, written = null) => {
      if (hidesNothing(selected)) return noBlock
      const shown = written ?? (await summaryBefore(selected.line))
      const userTextTokens = Math.max(
        limits.userTextTokens * minUserTextShare,
        limits.userTextTokens - keptTokens(selected, loaded),
      )
      const rendered = await renderHistoryBlocks(facts, selected, {
        limits: scaledLimits({ ...limits, userTextTokens }, share),
        meter,
        messages,
        toolLines,
        written: styledSummary(shown, input.styles),
        coveredTo: input.coveredTo,
        files,
      })
      const createdAt = view?.history?.createdAt ?? now
      return {
        history: rendered && { ...rendered, createdAt, updatedAt: now },
        facts,
        summary: shown,
      }
    },
  }
}

/** The user's words, a digest, the ledger and the files. */
const blocks = 4
const ledgerCharactersPerToken = 3
const wordCharactersPerToken = 4
const lineFrameCharacters = 8

/** The user's words before the candidates, up to the limit. */
async function olderUserTokens(
  facts: HistoryFacts,
  { userTextTokens }: HistoryLimits,
  { candidates }: Candidates,
): Promise<number> {
  let characters = 0
  for await (const { digest } of facts.rowsBefore(candidates[0]?.message.seq ?? 0, 'user')) {
    if (characters >= userTextTokens * wordCharactersPerToken) return userTextTokens
    if (digest?.by === 'user') characters += digest.text.length + lineFrameCharacters
  }
  return Math.min(userTextTokens, characters / wordCharactersPerToken)
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
