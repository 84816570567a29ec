/** The figures and rules of the published designs, each broken alone. */
import type { MutantGroup } from './mutant.ts'

export const presetsMutants: readonly MutantGroup[] = [
  {
    file: 'packages/throughline/src/policies/presets-data.ts',
    tests: [
      'packages/throughline/test/compaction/rule-digest.test.ts',
      'packages/throughline/test/summaries/rule-digest-model.test.ts',
      'packages/throughline/test/summaries/rule-digest-request.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
    ],
    changes: [
      [
        'rule-digest: trims only at a ratio',
        "name: 'rule-digest',\n    triggers: [{ kind: 'onTrim' }]",
        "name: 'rule-digest',\n    triggers: [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }]",
      ],
      [
        'rule-digest: fewer turns are recent',
        'protectedFrom: 80,\n        recentTurns: 5',
        'protectedFrom: 80,\n        recentTurns: 4',
      ],
      [
        'rule-digest: more turns are recent',
        'protectedFrom: 80,\n        recentTurns: 5',
        'protectedFrom: 80,\n        recentTurns: 6',
      ],
      ['rule-digest: only counts errors', 'errorDetails: true', 'errorDetails: false'],
      [
        'rule-digest: summarizes in the background',
        "run: { mode: 'blocking' },\n    limits",
        "run: { mode: 'background', waitMs: 0 },\n    limits",
      ],
      ['rule-digest: waits too long', 'timeMs: 10_000', 'timeMs: 60_000'],
      [
        'rule-digest: user text is kept longer than files',
        "'old-user-text': 40, 'modified-file': 70",
        "'old-user-text': 75, 'modified-file': 70",
      ],
      [
        'rule-digest: changed files are dropped with the rest',
        "'old-user-text': 40, 'modified-file': 70",
        "'old-user-text': 40, 'modified-file': 40",
      ],
      ['rule-digest: protects recent turns', 'protectedFrom: 80', 'protectedFrom: 60'],
      ['rule-digest: longer stubs', 'tokens: { tokens: 60 }', 'tokens: { tokens: 120 }'],
      [
        'rule-digest: a larger summary',
        'share: { ratio: 0.1 }, most: 500',
        'share: { ratio: 0.1 }, most: 1_000',
      ],
      [
        'rule-digest: a summary of any share of the window',
        'share: { ratio: 0.1 }, most: 500',
        'share: { ratio: 0.9 }, most: 500',
      ],
      [
        'rule-digest: also a ledger',
        "most: 500 },\n        { kind: 'profile', share: { ratio: 0.1 } },\n        { kind: 'pins' },\n        { kind: 'ledger', share: { tokens: 0 } }",
        "most: 500 },\n        { kind: 'profile', share: { ratio: 0.1 } },\n        { kind: 'pins' },\n        { kind: 'ledger', share: { ratio: 0.3 } }",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/defaults-data.ts',
    tests: [
      'packages/throughline/test/compaction/rule-digest.test.ts',
      'packages/throughline/test/summaries/rule-digest-model.test.ts',
      'packages/throughline/test/summaries/rule-digest-request.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/flow',
      'packages/throughline/src/toolkit/summarize.test.ts',
    ],
    changes: [
      ['S2: a digest of more tokens', 'maxSummaryTokens: 500', 'maxSummaryTokens: 600'],
      ['S2: a digest in too little room', 'summaryLeastTokens: 50', 'summaryLeastTokens: 5'],
    ],
  },
  {
    file: 'packages/throughline/src/extract/tool-facts.ts',
    tests: [
      'packages/throughline/src/extract/describe-tool-use.test.ts',
      'packages/throughline/src/extract/code-outline.test.ts',
    ],
    changes: [
      ['S2-025: more of a command', 'commandCharacters = 60', 'commandCharacters = 61'],
      ['S2-028: two files', 'maxTopFiles = 3', 'maxTopFiles = 2'],
      ['S2-028: four files', 'maxTopFiles = 3', 'maxTopFiles = 4'],
    ],
  },
  {
    file: 'packages/throughline/src/extract/code-outline.ts',
    tests: [
      'packages/throughline/src/extract/describe-tool-use.test.ts',
      'packages/throughline/src/extract/code-outline.test.ts',
    ],
    changes: [['S2-022: six exports', 'maxExports = 5', 'maxExports = 6']],
  },
  {
    file: 'packages/throughline/src/summarizers/digest/digest.ts',
    tests: [
      'packages/throughline/test/compaction/rule-digest.test.ts',
      'packages/throughline/test/summaries/rule-digest-model.test.ts',
      'packages/throughline/test/summaries/rule-digest-request.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/digest',
    ],
    changes: [
      ['S2: models read more of a message', 'messageCharacters: 1_000', 'messageCharacters: 2_000'],
    ],
  },
  {
    file: 'packages/throughline/src/policies/presets-data.ts',
    tests: [
      'packages/throughline/test/summaries/structured-chain.test.ts',
      'packages/throughline/test/summaries/structured-triggers.test.ts',
      'packages/throughline/test/summaries/structured-request.test.ts',
      'packages/throughline/test/summaries/structured-failures.test.ts',
      'packages/throughline/test/summaries/structured-answers.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
    ],
    changes: [
      [
        'ratio-chain: triggers too early',
        "at: 0.8, reset: 0.7, of: 'window'",
        "at: 0.75, reset: 0.7, of: 'window'",
      ],
      [
        'ratio-chain: triggers too late',
        "at: 0.8, reset: 0.7, of: 'window'",
        "at: 0.85, reset: 0.7, of: 'window'",
      ],
      [
        'ratio-chain: is armed too early',
        "at: 0.8, reset: 0.7, of: 'window'",
        "at: 0.8, reset: 0.79, of: 'window'",
      ],
      [
        'ratio-chain: is armed too late',
        "at: 0.8, reset: 0.7, of: 'window'",
        "at: 0.8, reset: 0.5, of: 'window'",
      ],
      [
        'ratio-chain: a ratio of the free room',
        "reset: 0.7, of: 'window'",
        "reset: 0.7, of: 'free'",
      ],
      ['ratio-chain: starts with fewer messages', 'minMessages: 12', 'minMessages: 11'],
      ['ratio-chain: starts with more messages', 'minMessages: 12', 'minMessages: 13'],
      ['ratio-chain: cools down too soon', 'cooldownMessages: 4', 'cooldownMessages: 3'],
      ['ratio-chain: cools down too late', 'cooldownMessages: 4', 'cooldownMessages: 5'],
      [
        'ratio-chain: keeps five messages',
        "of: 'window' }],\n    target: { ratio: 0.35 },\n    keepRecent: { messages: 6 }",
        "of: 'window' }],\n    target: { ratio: 0.35 },\n    keepRecent: { messages: 5 }",
      ],
      [
        'ratio-chain: keeps seven messages',
        "of: 'window' }],\n    target: { ratio: 0.35 },\n    keepRecent: { messages: 6 }",
        "of: 'window' }],\n    target: { ratio: 0.35 },\n    keepRecent: { messages: 7 }",
      ],
      [
        'ratio-chain: rules summarize if a model fails',
        "onFailure: 'no-change',\n      trim: { order: 'priority' },\n      // No ledger",
        "onFailure: 'rules',\n      trim: { order: 'priority' },\n      // No ledger",
      ],
      [
        'ratio-chain: a shorter summary',
        'share: { ratio: 0.1 }, most: 2_000',
        'share: { ratio: 0.1 }, most: 500',
      ],
      [
        'ratio-chain: requests do not wait',
        "run: { mode: 'blocking' },\n    recall",
        "run: { mode: 'background', waitMs: 0 },\n    recall",
      ],
      ['ratio-chain: a reserve that hides the trigger', 'ratioMax: 0.05', 'ratioMax: 0.25'],
      [
        'a chain is folded too early',
        'depthMax: 3, transcriptTokens: 8_000, chunk',
        'depthMax: 2, transcriptTokens: 8_000, chunk',
      ],
      [
        'a chain is folded too late',
        'depthMax: 3, transcriptTokens: 8_000, chunk',
        'depthMax: 4, transcriptTokens: 8_000, chunk',
      ],
      [
        'a transcript is cut too early',
        'transcriptTokens: 8_000, chunk',
        'transcriptTokens: 2_000, chunk',
      ],
      ['ratio-chain: larger chunks', 'chunkTokens: 8_000', 'chunkTokens: 16_000'],
      ['ratio-chain: too few calls for the chunks', 'calls: 48', 'calls: 12'],
    ],
  },
  {
    file: 'packages/throughline/src/summarizers/structured/caps-data.ts',
    tests: [
      'packages/throughline/test/summaries/structured-chain.test.ts',
      'packages/throughline/test/summaries/structured-triggers.test.ts',
      'packages/throughline/test/summaries/structured-request.test.ts',
      'packages/throughline/test/summaries/structured-failures.test.ts',
      'packages/throughline/test/summaries/structured-answers.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/structured',
    ],
    changes: [
      [
        'S1: a summary without a length limit',
        'summaryCharacters: 5_000',
        'summaryCharacters: 50_000',
      ],
      ['S1: more key points', 'keyPoints: { items: 30', 'keyPoints: { items: 300'],
      ['S1: more decisions', 'decisions: { items: 50', 'decisions: { items: 500'],
      ['S1: more tasks', 'actionItems: { items: 50', 'actionItems: { items: 500'],
      ['S1: tasks without a length limit', 'taskCharacters: 400', 'taskCharacters: 4_000'],
      ['S1: more open points', 'unresolved: { items: 50', 'unresolved: { items: 500'],
      ['S1: more entities', 'domainEntities: { items: 80', 'domainEntities: { items: 800'],
    ],
  },
  {
    file: 'packages/throughline/src/summarizers/prompt-blocks.ts',
    tests: [
      'packages/throughline/test/summaries/structured-chain.test.ts',
      'packages/throughline/test/summaries/structured-triggers.test.ts',
      'packages/throughline/test/summaries/structured-request.test.ts',
      'packages/throughline/test/summaries/structured-failures.test.ts',
      'packages/throughline/test/summaries/structured-answers.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/structured',
      'packages/throughline/src/summarizers/digest',
    ],
    changes: [['S1, S2: a high temperature', 'temperature: 0,', 'temperature: 1,']],
  },
  {
    file: 'packages/throughline/src/policies/presets-data.ts',
    tests: [
      'packages/throughline/test/summaries/rolling-rows-due.test.ts',
      'packages/throughline/test/summaries/rolling-rows-context.test.ts',
      'packages/throughline/test/summaries/rolling-rows-background.test.ts',
      'packages/throughline/test/summaries/running-rows.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
    ],
    changes: [
      [
        'rolling-rows: due at nineteen',
        "kind: 'messages', since: 20",
        "kind: 'messages', since: 19",
      ],
      [
        'rolling-rows: due at twenty-one',
        "kind: 'messages', since: 20",
        "kind: 'messages', since: 21",
      ],
      [
        'rolling-rows: nine messages',
        "keepRecent: { messages: 10 },\n    summarizers: [{ style: 'running', prompt: 'rows'",
        "keepRecent: { messages: 9 },\n    summarizers: [{ style: 'running', prompt: 'rows'",
      ],
      [
        'rolling-rows: eleven messages',
        "keepRecent: { messages: 10 },\n    summarizers: [{ style: 'running', prompt: 'rows'",
        "keepRecent: { messages: 11 },\n    summarizers: [{ style: 'running', prompt: 'rows'",
      ],
      ['rolling-rows: a larger reserve', 'reserve: { tokens: 1_000', 'reserve: { tokens: 4_096'],
      ['rolling-rows: more of a profile', 'share: { tokens: 2_800 }', 'share: { tokens: 5_600 }'],
      ['rolling-rows: more retrieved text', 'share: { tokens: 1_500 }', 'share: { tokens: 3_000 }'],
      [
        'rolling-rows: a longer summary',
        "{ kind: 'retrieved', share: { tokens: 1_500 } },\n        { kind: 'summary', share: { tokens: 500 } }",
        "{ kind: 'retrieved', share: { tokens: 1_500 } },\n        { kind: 'summary', share: { tokens: 1_500 } }",
      ],
      [
        'rolling-rows: the prompt for documents',
        "keepRecent: { messages: 10 },\n    summarizers: [{ style: 'running', prompt: 'rows'",
        "keepRecent: { messages: 10 },\n    summarizers: [{ style: 'running', prompt: 'resources'",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/summarizers/running/prompts-data.ts',
    tests: [
      'packages/throughline/test/summaries/rolling-rows-due.test.ts',
      'packages/throughline/test/summaries/rolling-rows-context.test.ts',
      'packages/throughline/test/summaries/rolling-rows-background.test.ts',
      'packages/throughline/test/summaries/running-rows.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/running',
    ],
    changes: [['S3: more words', 'mostWords: 300', 'mostWords: 500']],
  },
  {
    file: 'packages/throughline/src/policies/presets-data.ts',
    tests: [
      'packages/throughline/test/summaries/running-rag.test.ts',
      'packages/throughline/test/summaries/running-rag-documents.test.ts',
      'packages/throughline/test/summaries/tree.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
    ],
    changes: [
      [
        'running-rag: triggers at the limit',
        "kind: 'tokens', at: 2_001",
        "kind: 'tokens', at: 2_000",
      ],
      ['running-rag: triggers too late', "kind: 'tokens', at: 2_001", "kind: 'tokens', at: 2_002"],
      [
        'running-rag: retrieved text counts too',
        "at: 2_001, of: 'conversation'",
        "at: 2_001, of: 'free'",
      ],
      [
        'running-rag: nine messages',
        "keepRecent: { messages: 10 },\n    summarizers: [{ style: 'running', prompt: 'res",
        "keepRecent: { messages: 9 },\n    summarizers: [{ style: 'running', prompt: 'res",
      ],
      [
        'running-rag: eleven messages',
        "keepRecent: { messages: 10 },\n    summarizers: [{ style: 'running', prompt: 'res",
        "keepRecent: { messages: 11 },\n    summarizers: [{ style: 'running', prompt: 'res",
      ],
      [
        'running-rag: larger chunks',
        "prompt: 'resources', chunkTokens: 4_000",
        "prompt: 'resources', chunkTokens: 8_000",
      ],
      [
        'running-rag: no chunks',
        "prompt: 'resources', chunkTokens: 4_000",
        "prompt: 'resources', chunkTokens: null",
      ],
      ['running-rag: too few calls for twenty chunks', 'calls: 24', 'calls: 3'],
      ['running-rag: a larger target', 'target: { tokens: 1_000 }', 'target: { tokens: 1_500 }'],
      [
        'running-rag: documents after the summary',
        "{ kind: 'retrieved', share: { ratio: 0.25 } },\n        { kind: 'summary', share: { tokens: 500 } },",
        "{ kind: 'summary', share: { tokens: 500 } },\n        { kind: 'retrieved', share: { ratio: 0.25 } },",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/summarizers/running/prompts-data.ts',
    tests: [
      'packages/throughline/test/summaries/running-rag.test.ts',
      'packages/throughline/test/summaries/running-rag-documents.test.ts',
      'packages/throughline/test/summaries/tree.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/running',
    ],
    changes: [['S4: more words', 'mostWords: 200', 'mostWords: 300']],
  },
  {
    file: 'packages/throughline/src/summarizers/running/running.ts',
    tests: [
      'packages/throughline/test/summaries/running-rag.test.ts',
      'packages/throughline/test/summaries/running-rag-documents.test.ts',
      'packages/throughline/test/summaries/tree.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/running',
    ],
    changes: [
      [
        'S4: answers of any length',
        'const runningOutputTokens = 500',
        'const runningOutputTokens = 5_000',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/summarizers/tree/chunk-tree.ts',
    tests: [
      'packages/throughline/test/summaries/running-rag.test.ts',
      'packages/throughline/test/summaries/running-rag-documents.test.ts',
      'packages/throughline/test/summaries/tree.test.ts',
      'packages/throughline/src/flow/decide/preset-figures.test.ts',
      'packages/throughline/test/conformance',
      'packages/throughline/src/summarizers/tree',
      'packages/throughline/test/summaries/giant-message.test.ts',
    ],
    changes: [
      [
        'S4: huge messages in larger chunks',
        'const chunkTokens = 4_000',
        'const chunkTokens = 8_000',
      ],
    ],
  },
]
