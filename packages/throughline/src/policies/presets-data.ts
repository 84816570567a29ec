/** The policies that we ship, as data: the others list their differences from `balanced`. */
import type { PolicyName } from '../domain/policy.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { balanced } from './balanced-data.ts'
import type { PolicyOptions } from './policy-input.ts'

export const presetsData = {
  balanced,

  // For people who talk: exchanges stay whole, and retrieved texts may be long.
  chat: {
    name: 'chat',
    keepRecent: { exchanges: 6 },
    summarizers: [{ style: 'running', prompt: 'rows', chunkTokens: null }],
    advanced: {
      trim: { recentTurns: 6, recentSteps: 3 },
      slots: [
        { kind: 'system' },
        { kind: 'profile', share: { ratio: 0.1 } },
        { kind: 'pins' },
        { kind: 'summary', share: { ratio: 0.08 }, most: 6_000 },
        { kind: 'ledger', share: { ratio: 0.22 }, most: 10_000 },
        { kind: 'files', share: { ratio: 0.18 }, most: 12_000 },
        { kind: 'earlier' },
        { kind: 'recent' },
        { kind: 'retrieved', share: { ratio: 0.4 } },
        { kind: 'current' },
      ],
    },
  },

  // For agents that edit files: changed files stay longer than files that were only read.
  coding: {
    name: 'coding',
    // Edits come with long arguments and long replies.
    reserve: { tokens: 8_192 },
    keepRecent: { messages: 10 },
    advanced: {
      trim: { priorities: { 'modified-file': 70, 'old-reply': 40 }, recentSteps: 8 },
      stub: { most: 384 },
    },
  },

  // A published design for coding agents, with its figures: a hard budget, least valuable messages
  // leave first, and tool lines replace them, at most 500 tokens and a tenth of the budget.
  'rule-digest': {
    name: 'rule-digest',
    triggers: [{ kind: 'onTrim' }],
    // The design trims to the edge of the budget, so it would trim again with every request.
    target: { ratio: 0.75 },
    keepRecent: { turns: 5 },
    summarizers: [{ style: 'digest', prompt: null }],
    // A summary covers what leaves with its own request, so the request waits, but not for long.
    run: { mode: 'blocking' },
    limits: { timeMs: 10_000 },
    recall: null,
    advanced: {
      userText: { tokens: 0 },
      narrative: { style: 'tool-lines', errorDetails: true },
      trim: {
        order: 'priority',
        priorities: { 'old-user-text': 40, 'modified-file': 70, 'old-reply': 40 },
        protectedFrom: 80,
        recentTurns: 5,
      },
      stub: { tokens: { tokens: 60 }, most: 2_000 },
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
      derivedRole: 'system-message',
    },
  },

  // A published design for chats with models of many kinds, with its figures: at four fifths of
  // the window all but the last six messages become a structured summary, in a chain that is
  // folded at depth three.
  'ratio-chain': {
    name: 'ratio-chain',
    // The design compacts whatever its guards say only if the window is full.
    reserve: { ratioMax: 0.05 },
    triggers: [{ kind: 'tokenRatio', at: 0.8, reset: 0.7, of: 'window' }],
    target: { ratio: 0.35 },
    keepRecent: { messages: 6 },
    // A request has 8,000 tokens at most. What is longer is split, not cut.
    summarizers: [
      { style: 'structured', depthMax: 3, transcriptTokens: 8_000, chunkTokens: 8_000 },
    ],
    // The chunks of a window of 200,000 tokens, retries, and the summary of them; a few times an hour.
    limits: { calls: 48, callsPerHour: 240 },
    // The design waits for its summary.
    run: { mode: 'blocking' },
    recall: null,
    advanced: {
      guards: { cooldownMessages: 4, minMessages: 12 },
      fill: 'recent',
      userText: { tokens: 0 },
      onFailure: 'no-change',
      trim: { order: 'priority' },
      // No ledger and no lines of files: the summary is all that is shown of older messages.
      slots: [
        { kind: 'system' },
        { kind: 'summary', share: { ratio: 0.1 }, most: 2_000 },
        { kind: 'ledger', share: { tokens: 0 } },
        { kind: 'files', share: { tokens: 0 } },
        { kind: 'profile', share: { ratio: 0.1 } },
        { kind: 'pins' },
        { kind: 'earlier' },
        { kind: 'recent' },
        { kind: 'retrieved', share: { ratio: 0.25 } },
        { kind: 'current' },
      ],
      derivedRole: 'system-message',
    },
  },

  // A published design for a chat companion, with its figures: every twenty messages, messages
  // before the last ten become a plain text of at most 500 tokens.
  'rolling-rows': {
    name: 'rolling-rows',
    reserve: { tokens: 1_000 },
    triggers: [{ kind: 'messages', since: 20 }],
    target: { ratio: 0.35 },
    // Ten of the first twenty, so that the twentieth has something to summarize.
    keepRecent: { messages: 10 },
    summarizers: [{ style: 'running', prompt: 'rows', chunkTokens: null }],
    recall: null,
    advanced: {
      // The ten that stay, and a batch of five that is worth a summary.
      guards: { cooldownMessages: 0, minMessages: 15, regrowthRatio: 0 },
      fill: 'recent',
      userText: { tokens: 0 },
      // The design logs a failure and continues; messages leave only when the window is full.
      onFailure: 'no-change',
      trim: { order: 'priority' },
      slots: [
        { kind: 'system' },
        { kind: 'profile', share: { tokens: 2_800 } },
        { kind: 'pins' },
        { kind: 'retrieved', share: { tokens: 1_500 } },
        { kind: 'summary', share: { tokens: 500 } },
        { kind: 'ledger', share: { tokens: 0 } },
        { kind: 'files', share: { tokens: 0 } },
        { kind: 'earlier' },
        { kind: 'recent' },
        { kind: 'current' },
      ],
    },
  },

  // A published design for a tutor that answers from documents, with its figures: above 2,000
  // tokens all but the last ten messages become a running summary of at most 200 words. Retrieved
  // texts come before it, fresh for each request.
  'running-rag': {
    name: 'running-rag',
    // 2,000 tokens still fit. Retrieved texts do not count, because they change with each request.
    triggers: [{ kind: 'tokens', at: 2_001, of: 'conversation' }],
    target: { tokens: 1_000 },
    keepRecent: { messages: 10 },
    summarizers: [{ style: 'running', prompt: 'resources', chunkTokens: 4_000 }],
    // Twenty chunks, a few retries, and the calls that join them.
    limits: { calls: 24 },
    recall: null,
    advanced: {
      // The ten that stay, and a batch of five that is worth a summary.
      guards: { cooldownMessages: 0, minMessages: 15 },
      fill: 'recent',
      userText: { tokens: 0 },
      // A failure moves no checkpoint: messages without a summary stay while they fit.
      onFailure: 'no-change',
      trim: { order: 'priority' },
      slots: [
        { kind: 'system' },
        { kind: 'retrieved', share: { ratio: 0.25 } },
        { kind: 'summary', share: { tokens: 500 } },
        { kind: 'ledger', share: { tokens: 0 } },
        { kind: 'files', share: { tokens: 0 } },
        { kind: 'profile', share: { ratio: 0.1 } },
        { kind: 'pins' },
        { kind: 'earlier' },
        { kind: 'recent' },
        { kind: 'current' },
      ],
      derivedRole: 'system-message',
    },
  },

  // A published design for agents that route, think, act and reply, with its figures: after every
  // reply the turn memory is updated. It replaces the messages of old turns and has the last three
  // turns in full.
  'turn-memory': {
    name: 'turn-memory',
    // The memory has the older turns already: only a turn that is too long alone is shortened.
    triggers: [{ kind: 'onTrim' }],
    target: { ratio: 0.35 },
    keepRecent: { turns: 3 },
    recall: null,
    advanced: {
      userText: { tokens: 0 },
      trim: { order: 'priority' },
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
    },
  },
} as const satisfies Readonly<Record<PolicyName, PolicyOptions>>
