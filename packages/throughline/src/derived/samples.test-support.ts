/** Samples of derived rows, with text that is hard to store. */

import type { Calibration } from '../domain/calibration.ts'
import type { Decision } from '../domain/decision.ts'
import type { Ledger, MessageFacts } from '../domain/ledger.ts'
import { closedBreaker } from '../domain/model-calls.ts'
import type { FollowUp, NewReceipt, RequestRecord } from '../domain/receipt.ts'
import type { DigestRecord, SummaryRecord } from '../domain/summary.ts'
import type { View } from '../domain/view.ts'
import { hardText } from '../testing/store-cases/case.test-support.ts'
import type { Digested, Summarized } from './changes.ts'

export function sampleView(changes: Partial<View> = {}): View {
  return {
    epoch: 1,
    cause: 'first',
    line: 4,
    keeps: [1, 3],
    stubs: [
      {
        seq: 5,
        role: 'tool',
        author: null,
        parts: [{ type: 'text', text: hardText, metadata: null }],
        size: { tokens: 40, wire: 55 },
        hash: 'stub-1',
        made: '24',
        wholeTokens: 12_000,
      },
    ],
    basis: `policy ${hardText}`,
    beganTokens: 900,
    history: {
      requests: '',
      requestsCut: false,
      described: null,
      entries: 1,
      summary: hardText,
      ledger: 'src/a.ts read #1',
      files: '',
      ledgerTo: 3,
      entriesShown: 1,
      digest: null,
      written: null,
      createdAt: 3,
      updatedAt: 5,
    },
    next: null,
    degraded: null,
    ...changes,
  }
}

export function sampleRequest(changes: Partial<RequestRecord> = {}): RequestRecord {
  return {
    fingerprint: 'f1',
    model: 'm',
    at: 7,
    epoch: 1,
    brokenBy: null,
    tokens: 100,
    expectedTokens: 110.5,
    availableTokens: 1_000,
    originalTokens: 12_100,
    stubbed: 1,
    leftOut: 2,
    decision: { kind: 'continue', reason: 'below', shadow: false },
    triggers: { armed: true, compactedAt: 0 },
    prefix: {
      messages: 3,
      previous: 0,
      chain: 'c',
      rewrites: 0,
      system: 's',
      tools: 't',
      profile: hardText,
      retrieved: 'r',
      open: null,
    },
    ...changes,
  }
}

export function sampleCalibration(changes: Partial<Calibration> = {}): Calibration {
  return {
    modelId: 'm',
    tokenizerId: 't',
    priorFactor: 1.1,
    observed: 2,
    anchor: { countedTokens: 10, reportedTokens: 12 },
    suspect: null,
    growths: [{ countedTokens: 10, reportedTokens: 11, shortfall: -0.25 }],
    ...changes,
  }
}

export function sampleFacts(changes: Partial<MessageFacts> = {}): MessageFacts {
  return {
    seq: 0,
    trust: 'user',
    facts: [
      { kind: 'file', key: `file ${hardText}`, label: hardText, value: 'read', uses: 2 },
      { kind: 'constraint', key: '__proto__', label: 'constructor', value: '', uses: 1 },
    ],
    digest: { by: 'user', text: hardText },
    ...changes,
  }
}

export function sampleLedger(changes: Partial<Ledger> = {}): Ledger {
  return {
    to: 1,
    entries: [
      {
        key: `file ${hardText}`,
        kind: 'file',
        label: hardText,
        value: 'read',
        status: 'current',
        trust: 'tool',
        namedBy: 'tool',
        sources: [0, 3],
        lastSeq: 3,
        uses: { user: 1, assistant: 0, tool: 2 },
        // As parsed JSON has it: an own key, where a literal would set the prototype.
        counts: JSON.parse(`{"__proto__":2,"constructor":1,${JSON.stringify(hardText)}:3}`),
      },
    ],
    ...changes,
  }
}

const sampleDecision: Decision = {
  kind: 'compact',
  reason: 'tokenRatio',
  shadow: false,
  armed: true,
  figures: { tokens: 900, availableTokens: 1_000, ratio: 0.9, messagesSince: 8, turnsSince: 2 },
}

export function sampleReceipt(changes: Partial<NewReceipt> = {}): NewReceipt {
  return {
    model: 'm',
    epoch: 2,
    cause: 'trigger',
    decision: sampleDecision,
    covered: { from: 0, to: 4 },
    line: 4,
    head: 9,
    keeps: [1, 3],
    stubbed: 2,
    tokensBefore: null,
    tokensAfter: 350.5,
    tokensByKind: { summary: 100, ledger: 50, recent: 200.5 },
    ledger: { shown: 3, entries: 5 },
    redacted: 1,
    madeBy: { summarizer: 'rules', version: 1 },
    summarization: null,
    at: 7,
    durationMs: 12,
    ...changes,
  }
}

export function sampleSummary(changes: Partial<SummaryRecord> = {}): SummaryRecord {
  return {
    id: 's1',
    text: 'The build was looked at.',
    keyPoints: [hardText],
    facets: null,
    covers: { from: 0, to: 4 },
    added: { from: 1, to: 4 },
    head: 9,
    chain: 'c',
    parentId: null,
    depth: 0,
    generation: 0,
    version: 1,
    tokens: 12,
    tokensUsed: 40.5,
    madeBy: { summarizer: 'structured', version: 1, model: hardText, promptHash: 'h' },
    degraded: false,
    trust: 'assistant',
    account: {
      attempts: [],
      passedOver: [{ model: hardText, why: 'money' }],
      repairs: [],
      marks: [],
      costUsd: 0.5,
      durationMs: 3,
    },
    createdAt: 7,
    ...changes,
  }
}

export function sampleSummarized(changes: Partial<Summarized> = {}): Summarized {
  return {
    record: sampleSummary(),
    summarization: {
      summaryId: 's1',
      style: 'structured',
      depth: 0,
      generation: 0,
      asked: { from: 1, to: 4 },
      coveredTo: 4,
      why: null,
      attempts: [],
      passedOver: [],
      repairs: [],
      marks: [],
      costUsd: null,
      durationMs: 5,
    },
    model: 'm',
    decision: sampleDecision,
    tokensAfter: 350,
    asking: { breaker: closedBreaker, spent: [{ at: 5, usd: 0.125 }], failedTo: 7 },
    ...changes,
  }
}

export function sampleFollowUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    at: 8,
    looked: { from: 9, to: 80 },
    reopened: [{ path: hardText, times: 2, places: [12, 40] }],
    reopenedFiles: 1,
    recalled: [{ tool: 'expand', by: 'program', about: '#1-#3', seq: null, times: 3 }],
    recalls: 3,
    names: { needed: 4, shown: 3, missing: [hardText] },
    ...changes,
  }
}

export function sampleDigest(changes: Partial<DigestRecord> = {}): DigestRecord {
  return {
    seq: 2,
    text: hardText,
    madeBy: { summarizer: 'tree', version: 1, model: hardText, promptHash: 'h' },
    degraded: false,
    createdAt: 7,
    ...changes,
  }
}

export function sampleDigested(changes: Partial<Digested> = {}): Digested {
  const record = changes.record === undefined ? sampleDigest() : changes.record
  return {
    seq: record?.seq ?? 2,
    calls: 4,
    costUsd: 0.25,
    asking: { breaker: closedBreaker, spent: [{ at: 6, usd: 0.25 }], failedTo: null },
    ...changes,
    record,
  }
}
