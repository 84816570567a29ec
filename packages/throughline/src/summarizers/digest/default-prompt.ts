/** What a model is asked for a digest of work with tools. Change the version with the words. */
import { houseRules, listed } from '../house-rules.ts'
import type { PromptPiece } from './custom-prompt.ts'

export const digestVersion = 1

export const defaultPrompt: readonly PromptPiece[] = [
  {
    kind: 'words',
    text: [
      'Summarize the following conversation context concisely. Focus on:',
      '1. What files were read/modified',
      '2. What operations succeeded or failed',
      '3. Key decisions or findings',
      '4. Current state of the task',
      '',
      'Keep the summary under ',
    ].join('\n'),
  },
  { kind: 'max-tokens' },
  {
    kind: 'words',
    text: ` tokens. Be factual and brief.\n\n${listed(houseRules)}\n- Where there is a previous summary, the new one takes its place: what is not in it is forgotten.\n\n`,
  },
  { kind: 'context' },
  { kind: 'words', text: '\n\nWrite the summary now, as plain text.' },
]
