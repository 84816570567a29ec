/** The policy that is used where none is named. Apart from the others, so that a web page loads only this one. */
import type { PolicyOptions } from './policy-input.ts'

export const balanced = {
  name: 'balanced',
  // Long enough for nearly every reply, and never so much that a small window is all reserve.
  reserve: { tokens: 4_096, ratioMax: 0.25 },
  // Each compaction costs the provider's cache, so there are few. A model needs time to write.
  triggers: [{ kind: 'tokenRatio', at: 0.75, withoutModel: 0.97, reset: 0.6, of: 'free' }],
  target: { ratio: 0.45 },
  keepRecent: { messages: 6 },
  // Work needs its decisions and open tasks; no model is asked unless one is configured.
  summarizers: [{ style: 'structured', depthMax: 3, transcriptTokens: 8_000 }],
  // A request waits for a summary only if it would not fit, and then only for a moment.
  run: { mode: 'background', waitMs: 2_000 },
  limits: {
    // A failed call, its retry, and one that succeeds.
    calls: 3,
    // Reasoning models answer within a minute; after that, rules write the summary at once.
    timeMs: 60_000,
    usd: null,
    // A healthy conversation never needs a call a minute.
    callsPerHour: 60,
    usdPerHour: null,
  },
  // Answering a question about older messages is worth more than a longer tail.
  recall: { share: { ratio: 0.4 }, most: 5_000, upTo: { ratio: 0.5 } },
  models: [],
  advanced: {
    margin: { ratio: 0.02 },
    // An epoch lasts for some requests even if it starts above its trigger.
    guards: { cooldownMessages: 2, minMessages: 0, regrowthRatio: 0.15 },
    fill: 'target',
    // The user's words, task and rules included, are a few percent of an agent's session.
    userText: { ratio: 0.15 },
    // User messages may be long; the history block has their words and rules.
    pinUserMessages: null,
    narrative: { style: 'chronicle' },
    onFailure: 'rules',
    // Each message has its share of the room. If a request still does not fit, priorities decide:
    // tool output goes first, because tools can run again; user messages go last.
    trim: {
      order: 'share',
      priorities: { 'old-user-text': 75, 'modified-file': 60, 'old-reply': 60 },
      protectedFrom: 75,
      recentSteps: 5,
      recentTurns: 3,
      keepErrors: true,
      smallTokens: 100,
    },
    // Enough to recognize a result; a page of it at most.
    stub: { tokens: { ratio: 0.01 }, most: 256 },
    slots: [
      { kind: 'system' },
      { kind: 'profile', share: { ratio: 0.1 } },
      { kind: 'pins' },
      { kind: 'summary', share: { ratio: 0.08 }, most: 6_000 },
      { kind: 'ledger', share: { ratio: 0.22 }, most: 10_000 },
      { kind: 'files', share: { ratio: 0.18 }, most: 12_000 },
      { kind: 'earlier' },
      { kind: 'recent' },
      { kind: 'retrieved', share: { ratio: 0.25 } },
      { kind: 'current' },
    ],
    derivedRole: 'user-message',
  },
} as const satisfies PolicyOptions

/** Priorities that are the same in every policy: tool output leaves first, instructions last. */
export const fixedPriorities = {
  system: 100,
  instructions: 90,
  task: 80,
  'recent-turn': 60,
  'recent-file': 50,
  'stale-output': 30,
  summarized: 20,
} as const
