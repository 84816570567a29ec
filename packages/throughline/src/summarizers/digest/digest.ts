import { digestHeading } from '../../domain/summary.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import type { SummaryInput, SummaryStyle } from '../../ports/summary-style.ts'
import { planSteps } from '../plan-steps.ts'
import {
  askedTokens,
  type PromptSource,
  promptHash,
  singleRequest,
  sourceBlocks,
} from '../prompt-blocks.ts'
import { joinTokens, readProse, sentencesWithin } from '../read-answer.ts'
import { entriesOf, writtenWithRoles } from '../transcript/entries.ts'
import { defaultPieces, type PromptPiece } from './prompt.ts'
import { digestVersion } from './prompt-words-data.ts'

interface DigestOptions {
  /** The user's own, as `readPrompt` gave it; null for ours. */
  readonly prompt: readonly PromptPiece[] | null
}

const rules = {
  everyTool: true,
  system: true,
  messageCharacters: 1_000,
  unreadable: '[complex content]',
} as const

export function digest({ prompt }: DigestOptions): SummaryStyle {
  return {
    name: 'digest',
    version: digestVersion,
    promptHash: promptHash(digestVersion, (source) => digestRequest(prompt, source, 0)),
    plan: (input) =>
      planSteps(input, {
        entries: entriesOf(input.messages, input.calls, rules),
        write: writtenWithRoles,
        transcriptTokens: null,
        render: ({ text }) => text,
        ask: (source) => digestRequest(prompt, source, ownTokens(input)),
        answerTokens: input.summaryTokens,
        read: (answer) =>
          readProse(answer, { mostTokens: input.summaryTokens, meter: input.meter }),
      }),
    tree: null,
    render: ({ text }, { mostTokens, meter }) => {
      const room = mostTokens - meter.count(`${digestHeading}\n`) - joinTokens
      return meter.fit(`${digestHeading}\n${sentencesWithin(text, room, meter)}`, mostTokens)
    },
  }
}

/** The room for the summary in the model's own tokens. */
function ownTokens({ summaryTokens, meter }: SummaryInput): number {
  return Math.floor(summaryTokens / meter.countedPerToken)
}

function digestRequest(
  prompt: DigestOptions['prompt'],
  source: PromptSource,
  maxOutputTokens: number,
): ModelRequest {
  const context = sourceBlocks(source).join('\n\n')
  const asked = prompt === null ? askedTokens(maxOutputTokens) : maxOutputTokens
  const texts = { context, 'max-tokens': String(asked) }
  const content = (prompt ?? defaultPieces)
    .map((piece) => (piece.kind === 'words' ? piece.text : texts[piece.kind]))
    .join('')
  return singleRequest({ system: null, content, maxOutputTokens })
}
