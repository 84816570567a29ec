/** The words of the prompt for a digest of work with tools. Change the version with the words. */
import { houseRules, orderRule } from '../prompt-words-data.ts'

export const digestVersion = 4

/** With `{context}` and `{maxTokens}`, as in a user's own prompt. */
export const defaultPrompt: string = [
  'Summarize the following conversation context concisely. Focus on:',
  '1. What files were read/modified',
  '2. What operations succeeded or failed',
  '3. Key decisions or findings',
  '4. Current state of the task',
  '',
  'Keep the summary under {maxTokens} tokens. Be factual and brief.',
  '',
  ...houseRules.map((rule) => `- ${rule}`),
  `- ${orderRule}`,
  '- Where there is a previous summary, the new one replaces it: what is not in it is forgotten.',
  '',
  '{context}',
  '',
  'Write the summary now, as plain text.',
].join('\n')
