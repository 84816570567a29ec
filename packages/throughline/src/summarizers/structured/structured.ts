/** Summaries by a schema: a story, key points, and lists of what was decided and is left to do. */

import type { SummaryStyle } from '../../ports/summary-style.ts'
import { keepReferences } from '../keep-references.ts'
import { planSteps } from '../plan-steps.ts'
import { promptHash } from '../prompt-hash.ts'
import { entriesOf } from '../transcript/entries.ts'
import { writtenWithNames } from '../transcript/written.ts'
import { outputTokens, structuredPrompt, structuredVersion } from './prompt.ts'
import { readStructured } from './read.ts'
import { renderStructured, structuredText } from './render.ts'

export interface StructuredOptions {
  /** The most of a conversation in one request; what is more goes into the next. */
  readonly transcriptTokens: number | null
}

export const structuredDefaults: StructuredOptions = { transcriptTokens: 8_000 }

const noise = {
  everyTool: false,
  system: false,
  saidCharacters: null,
  unreadable: null,
} as const

export function structured({ transcriptTokens }: StructuredOptions): SummaryStyle {
  return {
    name: 'structured',
    version: structuredVersion,
    promptHash: hashOfPrompts(),
    plan: (input) =>
      planSteps(input, {
        entries: entriesOf(input.messages, input.calls, noise),
        write: writtenWithNames,
        transcriptTokens,
        tell: structuredText,
        ask: (asked) =>
          structuredPrompt({ ...asked, depth: input.depth, summaryTokens: input.summaryTokens }),
        answerTokens: outputTokens(input.summaryTokens),
        read: (answer, step) => keepReferences(readStructured(answer), step),
      }),
    render: renderStructured,
    tree: null,
  }
}

/** Made once: every engine has this style, and no option changes the words. */
let hashed: string | null = null

function hashOfPrompts(): string {
  const known = { transcript: '', messages: 0, transcriptTokens: 0, depth: 0, summaryTokens: 0 }
  hashed ??= promptHash(structuredVersion, [
    structuredPrompt({ ...known, previous: null }),
    structuredPrompt({ ...known, previous: '' }),
    structuredPrompt({ ...known, previous: null, transcript: null }),
  ])
  return hashed
}
