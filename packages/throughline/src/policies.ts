/** The policies that we ship, as data. What they have in common stands in `balanced`. */
import type { Policy } from './domain/policy.ts'

const balanced: Policy = {
  name: 'balanced',
  // Long enough for nearly every reply, and never so much that a small window is all reserve.
  reserve: { tokens: 4_096, ratioMax: 0.25 },
  margin: { ratio: 0.02 },
  // Rare, deep cuts: each break costs the provider's cache, so there are few of them.
  triggers: [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }],
  guards: { cooldownMessages: 2, minMessages: 0, regrowthRatio: 0.15 },
  target: { ratio: 0.35 },
  keepRecent: { messages: 6 },
  // A few hundredths of what an agent's session holds, with the task and its rules in it.
  said: { ratio: 0.15 },
  narrative: { style: 'chronicle' },
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
  triggers: [{ kind: 'onTrim' }],
  // The design goes back to the edge of the budget, and so would trim with every request.
  target: { ratio: 0.75 },
  keepRecent: { turns: 5 },
  said: { tokens: 0 },
  narrative: { style: 'tool-lines', errorDetails: true },
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

export const policies = {
  balanced,
  chat,
  coding,
  'rule-digest': ruleDigest,
} as const satisfies Record<string, Policy>

export type PolicyName = keyof typeof policies
