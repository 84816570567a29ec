/**
 * Applies a person's edit of a summary. The gate does not check it, but it keeps the trust of the
 * summary that it replaces (invariant 15) and must fit.
 */
import type { Sha256 } from '../../domain/hash.ts'
import { nextLink, noAccount, type SummaryRecord } from '../../domain/summary.ts'
import { type HistoryBlocks, type View, withInserts } from '../../domain/view.ts'
import { person, shownSummary } from '../history/styled-summary.ts'
import type { Meter } from '../measure/measure.ts'
import { summaryContent, withSummaryId } from '../summarize/summary-record.ts'

export interface EditSummary {
  readonly view: View
  readonly text: string
  readonly parent: SummaryRecord | null
  readonly head: number
  readonly chain: string
  readonly epoch: number
  readonly meter: Pick<Meter, 'text'>
  readonly sha256: Sha256
  readonly now: number
}

export function editSummary(edit: EditSummary) {
  const { view, text, epoch, meter, now } = edit
  const record = recordOf(edit)
  const before = view.history ?? { ...noBlocks, createdAt: now }
  const history: HistoryBlocks = {
    ...before,
    requests: '',
    requestsCut: false,
    summary: text,
    described: 0,
    digest: null,
    written: shownSummary(record, false),
    updatedAt: now,
  }
  const addedTokens = record.tokens - meter.text(summaryContent(before))
  const beganTokens = Math.max(0, view.beganTokens + addedTokens)
  const cause = 'summary-edited' as const
  return { record, view: { ...withInserts(view), epoch, cause, history, beganTokens } }
}

function recordOf({ view, text, parent, head, chain, meter, sha256, now }: EditSummary) {
  const span = { from: 0, to: view.line }
  const isWithoutTools = view.history?.written?.withoutTools === true
  const record = {
    text,
    keyPoints: [],
    facets: null,
    covers: span,
    added: span,
    head,
    chain,
    // Starts a new chain, because later summaries build on a person's words.
    ...nextLink(parent, 1),
    version: (parent?.version ?? 0) + 1,
    tokens: meter.text(text),
    tokensUsed: parent?.tokensUsed ?? 0,
    madeBy: { summarizer: person, version: 1, model: '', promptHash: '' },
    degraded: false,
    trust: isWithoutTools && parent !== null ? parent.trust : ('tool' as const),
    account: noAccount,
    createdAt: now,
  }
  return withSummaryId(record, sha256)
}

const noBlocks = {
  requests: '',
  summary: '',
  ledger: '',
  files: '',
  ledgerTo: 0,
  entries: 0,
  entriesShown: 0,
  digest: null,
} as const
