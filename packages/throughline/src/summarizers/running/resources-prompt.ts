/**
 * What a model is asked for a running summary of a talk about documents: shorter, and with
 * documents by name and id. Change the version with the words.
 */
import {
  houseRules,
  listed,
  previousBlock,
  type RunningPrompt,
  transcriptBlock,
} from '../prompt-blocks.ts'

export const resourcesPrompt: RunningPrompt = {
  version: 1,
  mostWords: 200,
  system: (words) =>
    [
      `You are a helpful assistant maintaining a running summary of a conversation. Update the previous summary with the new interaction details: incorporate the new key details, keeping it under ${words} words.`,
      listed([
        'The updated summary takes the place of the previous one: what is not in it is forgotten.',
        'Name the documents and files that were used, each with its ID, and what was asked and explained about it. Never tell what stands in them: it is looked up anew when it is needed.',
        'Bad: "User asked about the file." Good: "User uploaded `grammar.pdf` (ID: 123) and asked about Topic Markers. AI explained \'Wa\' vs \'Ga\'."',
        'Write plain text in natural paragraphs, and nothing but the summary.',
        ...houseRules,
      ]),
    ].join('\n\n'),
  content: (asked) =>
    [
      `Previous summary:\n\n${previousBlock(asked)}`,
      `New lines:\n\n${transcriptBlock(asked)}`,
      'Write the updated summary now.',
    ].join('\n\n'),
}
