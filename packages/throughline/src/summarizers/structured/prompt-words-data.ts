/** The words of the prompt for a structured summary. Change the version with the words. */
import { houseRules } from '../prompt-words-data.ts'
import { caps } from './caps-data.ts'

export const structuredVersion = 3

export const opening: readonly string[] = [
  'You are an expert conversation summarizer. You write the record from which an assistant continues the conversation when it can no longer see it.',
  'Output a STRICT JSON object ONLY, matching this form. No markdown, no commentary.',
]

export const form: string = [
  '{',
  `  "summary": string, not empty, at most ${caps.summaryCharacters} characters,`,
  `  "keyPoints": string[], at most ${caps.keyPoints.items},`,
  '  "context": {',
  `    "participants": string[], at most ${caps.participants.items},`,
  `    "decisions": string[], at most ${caps.decisions.items},`,
  `    "actionItems": { "owner": string or null, "task": string, "due": string or null }[], at most ${caps.actionItems.items},`,
  `    "unresolved": string[], at most ${caps.unresolved.items},`,
  `    "domainEntities": string[], at most ${caps.domainEntities.items}`,
  '  }',
  '}',
].join('\n')

/** Before the rule that says how long the object may be. */
export const structuredRules: readonly string[] = [
  'Preserve technical identifiers (filenames, class names, function signatures) verbatim.',
  'Preserve concrete numbers, dates and versions.',
  'If an element is absent, use an empty array instead of fabricating one.',
  'Do NOT add information that is not present in the source.',
  ...houseRules,
  'Where there is a previous summary, the new one replaces it: keep what still holds, correct what has changed, add what is new.',
]
