/** The policies that we ship, as data. What they have in common stands in `balanced`. */
import type { Policy, Slot } from './domain/policy.ts'
import { turnRules } from './domain/turn-rules.ts'

const balanced: Policy = {
  name: 'balanced',
  // Long enough for nearly every reply, and never so much that a small window is all reserve.
  reserve: { tokens: 4_096, ratioMax: 0.25 },
  margin: { ratio: 0.02 },
  // Rare, deep cuts: each break costs the provider's cache, so there are few of them.
  triggers: [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }],
  // An epoch that begins above its trigger still lasts for some requests.
  guards: { cooldownMessages: 2, minMessages: 0, regrowthRatio: 0.15 },
  target: { ratio: 0.35 },
  keepRecent: { messages: 6 },
  fill: 'target',
  // A few hundredths of what an agent's session holds, with the task and its rules in it.
  said: { ratio: 0.15 },
  // Whole messages of users may be long; the narrative has their words, and the ledger their rules.
  pinSaid: null,
  narrative: { style: 'chronicle' },
  // Work needs its decisions and what is left to do; asked only where a model is handed in.
  summarizers: [{ style: 'structured', depthMax: 3, transcriptTokens: 8_000 }],
  // Nobody waits for a summary, but for a moment where the request would not fit.
  run: { mode: 'background', waitMs: 2_000 },
  limits: {
    // One that works, and a failure with its retry before it.
    calls: 3,
    // A model that thinks is done by then; after it, rules have told the past in an instant.
    timeMs: 60_000,
    usd: null,
    // Longer, and rules have done the work long ago.
    retryAfterMs: 10_000,
    // A call a minute is more than a conversation that works ever needs.
    callsPerHour: 60,
    usdPerHour: null,
  },
  onFailure: 'rules',
  // A question about what is gone is worth more than another stretch of the tail.
  recall: { share: { ratio: 0.35 }, most: 5_000, upTo: { ratio: 0.5 } },
  // Output of tools first, which can be had again; what users said last.
  trim: {
    order: 'priority',
    priorities: {
      system: 100,
      instructions: 90,
      task: 80,
      'old-said': 75,
      'modified-file': 60,
      'recent-turn': 60,
      'recent-file': 50,
      'old-reply': 60,
      'stale-output': 30,
      summarized: 20,
    },
    protectedFrom: 75,
    recentSteps: 5,
    recentTurns: 3,
    keepErrors: true,
    smallTokens: 100,
  },
  // Enough to tell what a result was; a page of it at most.
  stub: { tokens: { ratio: 0.01 }, least: 24, most: 256 },
  slots: [
    { kind: 'system' },
    { kind: 'profile', share: { ratio: 0.1 } },
    { kind: 'pins' },
    { kind: 'summary', share: { ratio: 0.04 }, most: 6_000 },
    { kind: 'ledger', share: { ratio: 0.3 }, most: 20_000 },
    { kind: 'files', share: { ratio: 0.1 }, most: 12_000 },
    { kind: 'earlier' },
    { kind: 'recent' },
    { kind: 'retrieved', share: { ratio: 0.25 } },
    { kind: 'current' },
  ],
  derivedRole: 'user-message',
  models: [],
}

/** People who talk: exchanges stay whole, and what was found for a question may be long. */
const chat: Policy = {
  ...balanced,
  name: 'chat',
  target: { ratio: 0.45 },
  keepRecent: { exchanges: 6 },
  summarizers: [{ style: 'running', prompt: 'rows', chunkTokens: null }],
  trim: { ...balanced.trim, recentTurns: 6, recentSteps: 3 },
  slots: balanced.slots.map((slot) =>
    slot.kind === 'retrieved' ? { ...slot, share: { ratio: 0.4 } } : slot,
  ),
}

/** Agents at work on files: what was changed stays longer than what was only read. */
const coding: Policy = {
  ...balanced,
  name: 'coding',
  // Edits come with long arguments and long replies.
  reserve: { tokens: 8_192, ratioMax: 0.25 },
  keepRecent: { messages: 10 },
  trim: {
    ...balanced.trim,
    priorities: { ...balanced.trim.priorities, 'modified-file': 70, 'old-reply': 40 },
    recentSteps: 8,
  },
  stub: { ...balanced.stub, most: 384 },
}

/**
 * A published design for coding agents, with its figures: a hard budget, what is worth least
 * goes first, and lines for what is gone, of at most 500 tokens and a tenth of the budget.
 */
const ruleDigest: Policy = {
  ...balanced,
  name: 'rule-digest',
  recall: null,
  triggers: [{ kind: 'onTrim' }],
  // The design goes back to the edge of the budget, and so would trim with every request.
  target: { ratio: 0.75 },
  keepRecent: { turns: 5 },
  said: { tokens: 0 },
  narrative: { style: 'tool-lines', errorDetails: true },
  summarizers: [{ style: 'digest', prompt: null }],
  // What leaves with a request is in the summary of that request; nobody waits for long.
  run: { mode: 'blocking' },
  limits: { ...balanced.limits, timeMs: 10_000 },
  trim: {
    ...balanced.trim,
    priorities: {
      ...balanced.trim.priorities,
      'old-said': 40,
      'modified-file': 70,
      'old-reply': 40,
    },
    protectedFrom: 80,
    recentTurns: 5,
  },
  stub: { tokens: { tokens: 60 }, least: 24, most: 2_000 },
  slots: [
    { kind: 'system' },
    { kind: 'summary', share: { ratio: 0.1 }, most: 500 },
    { kind: 'profile', share: { ratio: 0.1 } },
    { kind: 'pins' },
    { kind: 'ledger', share: { tokens: 0 } },
    { kind: 'files', share: { tokens: 0 } },
    { kind: 'earlier' },
    { kind: 'recent' },
    { kind: 'retrieved', share: { ratio: 0.25 } },
    { kind: 'current' },
  ],
}

/** No ledger and no lines of files: the summary is all that stands for the past. */
function summaryAlone(
  before: readonly Slot[],
  summary: Slot,
  between: readonly Slot[] = [],
): readonly Slot[] {
  return [
    { kind: 'system' },
    ...before,
    summary,
    { kind: 'ledger', share: { tokens: 0 } },
    { kind: 'files', share: { tokens: 0 } },
    ...between,
    { kind: 'earlier' },
    { kind: 'recent' },
    ...(before.some(({ kind }) => kind === 'retrieved')
      ? []
      : [{ kind: 'retrieved', share: { ratio: 0.25 } } as const]),
    { kind: 'current' },
  ]
}

/**
 * A published design for chats with models of many kinds, with its figures: at four fifths of
 * the window all but the last six messages become a structured summary, in a chain that is
 * folded at depth three.
 */
const ratioChain: Policy = {
  ...balanced,
  name: 'ratio-chain',
  recall: null,
  // Also in a small window the trigger comes before the edge.
  reserve: { tokens: 4_096, ratioMax: 0.15 },
  triggers: [{ kind: 'tokenRatio', at: 0.8, reset: 0.7, of: 'window' }],
  guards: { ...balanced.guards, cooldownMessages: 4, minMessages: 12 },
  keepRecent: { messages: 6 },
  fill: 'recent',
  said: { tokens: 0 },
  // The design waits for its summary.
  run: { mode: 'blocking' },
  onFailure: 'no-change',
  slots: summaryAlone([], { kind: 'summary', share: { ratio: 0.1 }, most: 2_000 }, [
    { kind: 'profile', share: { ratio: 0.1 } },
    { kind: 'pins' },
  ]),
  derivedRole: 'system-message',
}

/**
 * A published design for a companion that people talk to, with its figures: every twenty
 * messages what is older than ten exchanges becomes a plain text of at most 500 tokens.
 */
const rollingRows: Policy = {
  ...balanced,
  name: 'rolling-rows',
  recall: null,
  reserve: { tokens: 1_000, ratioMax: 0.25 },
  triggers: [{ kind: 'messages', since: 20 }],
  // The twenty that stay, and a batch of five that is worth a summary.
  guards: { cooldownMessages: 0, minMessages: 25, regrowthRatio: 0 },
  keepRecent: { exchanges: 10 },
  fill: 'recent',
  said: { tokens: 0 },
  summarizers: [{ style: 'running', prompt: 'rows', chunkTokens: null }],
  // The design logs a failure and goes on; until the window is full nothing has to go.
  onFailure: 'no-change',
  slots: summaryAlone(
    [
      { kind: 'profile', share: { tokens: 2_800 } },
      { kind: 'pins' },
      { kind: 'retrieved', share: { tokens: 1_500 } },
    ],
    { kind: 'summary', share: { tokens: 500 } },
  ),
}

/**
 * A published design for a tutor that answers from documents, with its figures: above 2,000
 * tokens what is older than ten messages becomes a running summary of at most 200 words, and
 * what was retrieved stands before it, fresh for each request.
 */
const runningRag: Policy = {
  ...balanced,
  name: 'running-rag',
  recall: null,
  // So many still fit; and what was found for a question is not what makes a talk long.
  triggers: [{ kind: 'tokens', at: 2_001, of: 'conversation' }],
  target: { tokens: 1_000 },
  // The ten that stay, and a batch of five that is worth a summary.
  guards: { cooldownMessages: 0, minMessages: 15, regrowthRatio: 0.15 },
  keepRecent: { messages: 10 },
  fill: 'recent',
  said: { tokens: 0 },
  summarizers: [{ style: 'running', prompt: 'resources', chunkTokens: 4_000 }],
  // Twenty chunks, some of them asked for twice, and the requests that join them.
  limits: { ...balanced.limits, calls: 24 },
  // A failure moves no checkpoint: what no summary covers stays as it is while it fits.
  onFailure: 'no-change',
  slots: summaryAlone(
    [{ kind: 'retrieved', share: { ratio: 0.25 } }],
    { kind: 'summary', share: { tokens: 500 } },
    [{ kind: 'profile', share: { ratio: 0.1 } }, { kind: 'pins' }],
  ),
  derivedRole: 'system-message',
}

/**
 * A published design for agents that route, think, act and reply, with its figures: behind every
 * reply what is known of the turns is brought up to date, and stands in the place of their
 * messages, the last three turns in full.
 */
const turnMemory: Policy = {
  ...balanced,
  name: 'turn-memory',
  recall: null,
  // What goes is told already: only a turn that is too long by itself becomes shorter.
  triggers: [{ kind: 'onTrim' }],
  keepRecent: { turns: 3 },
  said: { tokens: 0 },
  slots: [
    { kind: 'system' },
    { kind: 'theme' },
    { kind: 'profile', share: { ratio: 0.1 } },
    { kind: 'pins' },
    { kind: 'summary', share: { tokens: 0 } },
    { kind: 'ledger', share: { tokens: 0 } },
    { kind: 'files', share: { tokens: 0 } },
    { kind: 'history' },
    { kind: 'entities' },
    { kind: 'pending' },
    { kind: 'turns' },
    { kind: 'steps' },
    { kind: 'earlier' },
    { kind: 'recent' },
    { kind: 'retrieved', share: { ratio: 0.25 } },
    { kind: 'current' },
  ],
  turns: turnRules,
}

/**
 * The policies that we ship, by name, as data to start your own from (`docs/policies.md`).
 *
 * @example
 * const calm = { ...policies.coding, name: 'calm', target: { ratio: 0.25 } }
 * const engine = createThroughline({ policy: calm })
 */
export const policies = {
  balanced,
  chat,
  coding,
  'rule-digest': ruleDigest,
  'ratio-chain': ratioChain,
  'rolling-rows': rollingRows,
  'running-rag': runningRag,
  'turn-memory': turnMemory,
} as const satisfies Record<string, Policy>

export type PolicyName = keyof typeof policies
