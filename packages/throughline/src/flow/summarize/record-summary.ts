/** A draft that has passed becomes the record of a summary. */

import type { FactTrust } from '../../domain/ledger.ts'
import type { ModelAttempt } from '../../domain/model-calls.ts'
import {
  type Draft,
  nextLink,
  type SummaryAccount,
  type SummaryRecord,
} from '../../domain/summary.ts'
import { inputTokensOf, outputTokensOf } from '../../domain/usage.ts'
import { draftText } from '../gate/draft-text.ts'
import type { MessagesToTell } from './messages-to-tell.ts'
import type { WriteSummary } from './summary-writer.ts'
import type { Told } from './told.ts'

type Recording = Pick<WriteSummary, 'base' | 'parent' | 'log' | 'writer' | 'meter' | 'sha256'>

export function recordOf(
  { base, parent, log, writer, meter, sha256 }: Recording,
  { originals }: Pick<MessagesToTell, 'originals'>,
  told: Told & { readonly draft: Draft; readonly account: SummaryAccount },
): SummaryRecord {
  const { draft, styled, toldTo, degraded } = told
  const from = base?.covers.to ?? 0
  const covered = originals.filter(({ seq }) => seq < toldTo)
  const tokens = meter.text(draftText(draft))
  const record = {
    text: draft.text,
    keyPoints: draft.keyPoints,
    facets: draft.facets,
    covers: { from: 0, to: toldTo },
    told: { from, to: toldTo },
    head: log.head,
    chain: covered.at(-1)?.hashes.chain ?? base?.chain ?? '',
    // One that begins with the messages is the root of a new chain.
    ...nextLink(parent, base === null ? 1 : styled.depthMax),
    version: (parent?.version ?? 0) + 1,
    tokens,
    tokensUsed: (parent?.tokensUsed ?? 0) + usedTokens(told.attempts, tokens),
    madeBy: {
      summarizer: styled.style.name,
      version: styled.style.version,
      model: told.model ?? '',
      promptHash: styled.style.promptHash,
    },
    degraded,
    trust: leastTrust(base?.trust ?? 'user', covered),
    account: told.account,
    createdAt: writer.clock.now(),
  }
  return { id: sha256(JSON.stringify(record)).slice(0, idCharacters), ...record }
}

const idCharacters = 32

/** As they were reported; where nothing was, at least what was written. */
function usedTokens(attempts: readonly ModelAttempt[], writtenTokens: number): number {
  const reported = attempts.reduce(
    (sum, { usage }) =>
      usage === null ? sum : sum + (inputTokensOf(usage) ?? 0) + (outputTokensOf(usage) ?? 0),
    0,
  )
  return Math.max(reported, writtenTokens)
}

function leastTrust(before: FactTrust, covered: MessagesToTell['originals']): FactTrust {
  if (before === 'tool' || !covered.every(isTalk)) return 'tool'
  return before === 'assistant' || covered.some(({ role }) => role === 'assistant')
    ? 'assistant'
    : 'user'
}

/** Only text of people and models: nothing that tools, files or documents supplied. */
function isTalk({ role, parts }: MessagesToTell['originals'][number]): boolean {
  return role !== 'tool' && parts.every(({ type }) => type === 'text' || type === 'reasoning')
}
