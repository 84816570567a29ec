/** What holds for every sentence that a model writes behind a reply. */
import { houseRules } from '../house-rules.ts'
import { sentenceCharacters } from './outputs.ts'

export const sentenceRules: readonly string[] = [
  `Write exactly one sentence of at most ${sentenceCharacters} characters.`,
  'Use the EXACT names from the text. Do not invent, translate or paraphrase a name.',
  'Name things by their names. Write an id only where it names a document or a resource.',
  'Tell a long list by its count and its kind, and do not enumerate it.',
  ...houseRules,
]

/** Room for the form, for scripts that need a token and more for each character. */
export const sentenceTokens = 600
export const foldingTokens = 1_600
