/** What is checked of each derived row's body when it is read, and its name in errors. */
import type { DerivedBodies, DerivedKind, ReceiptBody } from './derived-row.ts'
import type { LedgerEntry, MessageFacts } from './ledger.ts'
import type { FollowUp } from './receipt.ts'
import { list, number, orNull, type Shape, text } from './shape.ts'
import type { View } from './view.ts'

const trust = (value: unknown) => value === 'user' || value === 'assistant' || value === 'tool'
const voice = (value: unknown) => trust(value) || value === 'summary'
const numbersByName = (value: unknown) => Object.values(value as object).every(number)

const view: Shape<View> = { epoch: number, line: number, keeps: [number], stubs: list }

const followUp: Shape<FollowUp> = {
  at: number,
  reopened: list,
  recalled: list,
  names: { needed: number, missing: [text] },
}

const ledgerEntry: Shape<LedgerEntry> = {
  key: text,
  kind: text,
  label: text,
  value: text,
  status: text,
  trust,
  namedBy: trust,
  sources: [number],
  lastSeq: number,
  counts: numbersByName,
  uses: { user: number, assistant: number, tool: number },
}

export const shapes: {
  readonly [Kind in DerivedKind]: readonly [name: string, shape: Shape<DerivedBodies[Kind]>]
} = {
  facts: [
    'facts of a message',
    {
      trust,
      facts: [{ kind: text, key: text, label: text, value: text, uses: number }],
      digest: orNull<MessageFacts['digest']>({ by: voice, text }),
    },
  ],
  ledger: ['a ledger', { to: number, entries: [ledgerEntry] }],
  digest: ['a digest', { seq: number, text, madeBy: { model: text }, createdAt: number }],
  summary: [
    'a summary',
    {
      id: text,
      text,
      covers: { to: number },
      keyPoints: [text],
      trust,
      madeBy: { summarizer: text },
      depth: number,
      version: number,
    },
  ],
  view: ['a view', view],
  version: ['a view', orNull<View>(view)],
  receipt: [
    'a receipt',
    {
      receipt: {
        model: text,
        decision: { reason: text },
        epoch: number,
        line: number,
        head: number,
        covered: { from: number, to: number },
        at: number,
        keeps: [number],
        tokensByKind: numbersByName,
      },
      followUp: orNull<FollowUp>(followUp),
      waiting: orNull<ReceiptBody['waiting']>({
        left: { text, stubs: [number] },
        expanded: [{ span: { from: number, to: number }, times: number }],
      }),
    },
  ],
  request: [
    'a request',
    {
      fingerprint: text,
      prefix: { chain: text },
      epoch: number,
      tokens: number,
      decision: { kind: text, reason: text },
    },
  ],
  system: ['a system prompt', [{ type: text, text }]],
  tools: ['tools', [{ name: text }]],
  calibration: ['a calibration', { priorFactor: number, observed: number, growths: list }],
  insert: ['what was recalled', { epoch: number, before: number, of: text, text, sources: list }],
  turn: [
    'a turn',
    {
      turn: number,
      messages: { from: number, to: number },
      user: text,
      assistant: text,
      steps: list,
      knows: { history: list, entities: list },
    },
  ],
  step: [
    'a step',
    {
      turn: number,
      step: number,
      description: text,
      outcome: text,
      result: (value: unknown) => value !== undefined,
    },
  ],
  asking: [
    'what was spent on models',
    { breaker: { ineffective: number }, spent: [{ at: number, usd: number }] },
  ],
}
