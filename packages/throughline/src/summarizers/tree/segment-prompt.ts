/** What a model is asked for one chunk of a longer text. Change the version with the words. */
import { dataBlock } from '../../domain/data-block.ts'
import { houseRules, listed } from '../house-rules.ts'

export const segmentPrompt = {
  version: 1,
  system: [
    'Summarize the following text segment in 3 sentences, preserving key entities and numbers.',
    listed([
      'It is one segment of a longer text: others are summarized beside it, and all are joined later.',
      'Write plain text, and nothing but the summary.',
      ...houseRules,
    ]),
  ].join('\n\n'),
  content: (segment: string) =>
    [dataBlock('text segment', segment), 'Write the 3 sentences now.'].join('\n\n'),
} as const
