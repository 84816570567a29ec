/** The words of running summaries. Change the version with the words. */
import { orderRule } from '../prompt-words-data.ts'

interface RunningPrompt {
  /** Precedes the summary in a context. */
  readonly heading: string
  /** Increases with each change of the words. */
  readonly version: number
  /** The most words that the prompt asks for; fewer if there is less room. */
  readonly mostWords: number
  /** The text around the limit; the common rules follow. */
  readonly system: readonly [before: string, after: string]
  /** The titles of the sources, in this order. */
  readonly sources: readonly (readonly [title: string, source: 'transcript' | 'previous'])[]
  readonly ask: string
}

/** For chats. */
const rows: RunningPrompt = {
  heading: '## Earlier in this conversation\n\n',
  version: 4,
  mostWords: 300,
  system: [
    [
      'You are summarizing a segment of a conversation for future context. The summary helps an AI assistant to recall what was discussed earlier.',
      '',
      'Capture:',
      '',
      '1. Key topics discussed',
      '2. Important decisions or conclusions reached',
      '3. Emotional tone and any significant moments',
      '4. Any commitments, goals, or follow-ups mentioned',
      '5. Important facts the user shared about themselves',
      '',
      'Guidelines:',
      '',
      '- Keep it under ',
    ].join('\n'),
    [
      '.',
      '- Focus on what is useful context later in this conversation.',
      `- ${orderRule}`,
      '- Write in the third person ("User discussed…", not "You discussed…").',
      '- Preserve specific details that may be referenced later (names, dates, places).',
      '- Note any unresolved questions or topics that might come up again.',
      '- If a previous summary exists, integrate the new information seamlessly: the new summary replaces it, and what is not in it is forgotten.',
      '- Write plain text, not JSON, in natural paragraphs.',
    ].join('\n'),
  ],
  sources: [
    ['## Messages to Summarize', 'transcript'],
    ['## Previous Summary (if any)', 'previous'],
  ],
  ask: 'Write the summary now.',
}

/** For chats about documents: shorter, with documents by name and id. */
const resources: RunningPrompt = {
  heading: 'PREVIOUS CONVERSATION SUMMARY: ',
  version: 4,
  mostWords: 200,
  system: [
    'You are a helpful assistant maintaining a running summary of a conversation. Update the previous summary with the new interaction details: incorporate the new key details, keeping it under ',
    [
      '.',
      '',
      '- The updated summary replaces the previous one: what is not in it is forgotten.',
      `- ${orderRule}`,
      '- Name the documents and files that were used, each with its ID, and what was asked and explained about it. Do not copy their content: it is looked up again when needed. Keep the conclusions that were drawn from it.',
      '- Bad: "User asked about the file." Good: "User uploaded `grammar.pdf` (ID: 123) and asked about Topic Markers. AI explained \'Wa\' vs \'Ga\'."',
      '- Write plain text in natural paragraphs, and nothing but the summary.',
    ].join('\n'),
  ],
  sources: [
    ['Previous summary:', 'previous'],
    ['New lines:', 'transcript'],
  ],
  ask: 'Write the updated summary now.',
}

export const runningPrompts = { rows, resources } as const
