/** What a model is asked for a running summary of a talk. Change the version with the words. */
import {
  houseRules,
  listed,
  previousBlock,
  type RunningPrompt,
  transcriptBlock,
} from '../prompt-blocks.ts'

export const rowsPrompt: RunningPrompt = {
  version: 1,
  mostWords: 300,
  system: (words) =>
    [
      'You are summarizing a segment of a conversation for future context. The summary helps an AI assistant to recall what was discussed earlier.',
      'Capture:',
      [
        '1. Key topics discussed',
        '2. Important decisions or conclusions reached',
        '3. Emotional tone and any significant moments',
        '4. Any commitments, goals, or follow-ups mentioned',
        '5. Important facts the user shared about themselves',
      ].join('\n'),
      'Guidelines:',
      listed([
        `Keep it under ${words} words.`,
        'Focus on what is useful context later in this conversation.',
        'Write in the third person ("User discussed…", not "You discussed…").',
        'Preserve specific details that may be referenced later (names, dates, places).',
        'Note any unresolved questions or topics that might come up again.',
        'If a previous summary exists, integrate the new information seamlessly: the new summary takes its place, and what is not in it is forgotten.',
        'Write plain text, not JSON, in natural paragraphs.',
        ...houseRules,
      ]),
    ].join('\n\n'),
  content: (asked) =>
    [
      `## Messages to Summarize\n\n${transcriptBlock(asked)}`,
      `## Previous Summary (if any)\n\n${previousBlock(asked)}`,
      'Write the summary now.',
    ].join('\n\n'),
}
