/** Summaries of work with tools: files, operations, findings, the state of the task. */
import { dataBlock } from '../../domain/data-block.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import type { SummaryStyle } from '../../ports/summary-style.ts'
import { type Asked, planSteps } from '../plan-steps.ts'
import { promptHash, transcriptBlock } from '../prompt-blocks.ts'
import { readProse, sentencesWithin } from '../read-answer.ts'
import { entriesOf, writtenWithRoles } from '../transcript/entries.ts'
import { defaultPrompt, digestVersion, type PromptPiece } from './prompt.ts'

export interface DigestOptions {
  /** The user's own, as `readPrompt` gave it; null for ours. */
  readonly prompt: readonly PromptPiece[] | null
}

const heading = '[Previous Conversation Summary]'

const rules = {
  everyTool: true,
  system: true,
  saidCharacters: 1_000,
  unreadable: '[complex content]',
} as const

export function digest({ prompt }: DigestOptions): SummaryStyle {
  const pieces = prompt ?? defaultPrompt
  return {
    name: 'digest',
    version: digestVersion,
    promptHash: promptHash(digestVersion, [
      digestRequest(pieces, { previous: null, transcript: '', maxTokens: 0 }),
      digestRequest(pieces, { previous: '', transcript: '', maxTokens: 0 }),
      digestRequest(pieces, { previous: null, transcript: null, maxTokens: 0 }),
    ]),
    plan: (input) =>
      planSteps(input, {
        entries: entriesOf(input.messages, input.calls, rules),
        write: writtenWithRoles,
        transcriptTokens: null,
        tell: ({ text }) => text,
        ask: (asked) => digestRequest(pieces, { ...asked, maxTokens: input.summaryTokens }),
        answerTokens: input.summaryTokens,
        read: (answer) =>
          readProse(answer, { mostTokens: input.summaryTokens, meter: input.meter }),
      }),
    tree: null,
    render: ({ text }, { mostTokens, meter }) => {
      const room = mostTokens - meter.count(`${heading}\n`) - joinTokens
      return meter.fit(`${heading}\n${sentencesWithin(text, room, meter)}`, mostTokens)
    },
  }
}

/** Joined texts may have more tokens than their parts have. */
const joinTokens = 4

interface DigestAsked extends Pick<Asked, 'previous' | 'transcript'> {
  readonly maxTokens: number
}

function digestRequest(pieces: readonly PromptPiece[], asked: DigestAsked): ModelRequest {
  const { previous, maxTokens } = asked
  const context = [
    ...(previous === null ? [] : [dataBlock('previous summary', previous)]),
    transcriptBlock(asked),
  ].join('\n\n')
  const content = pieces.map((piece) => pieceText(piece, context, maxTokens)).join('')
  return {
    system: null,
    messages: [{ role: 'user', content }],
    maxOutputTokens: maxTokens,
    temperature: 0,
    schema: null,
  }
}

function pieceText(piece: PromptPiece, context: string, maxTokens: number): string {
  switch (piece.kind) {
    case 'words':
      return piece.text
    case 'context':
      return context
    case 'max-tokens':
      return String(maxTokens)
  }
}
