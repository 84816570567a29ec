/** The words of the questions after a reply. */

interface SentenceWords {
  readonly task: string
  readonly rulesTitle: string
  readonly rules: readonly string[]
}

/** What an answer has accomplished. */
export const responseWords: SentenceWords = {
  task: 'An assistant has answered a user. Say in one sentence what was accomplished; from now on the sentence replaces the answer.',
  rulesTitle: 'Rules:',
  rules: [
    'Proposals are not completed actions. "I\'ll save the recipes" becomes "Proposed to save recipes; awaiting confirmation".',
    '"Done! I saved the recipes." becomes "Saved recipes: [exact names]".',
  ],
}

/** What a conversation is about. */
export const themeWords: SentenceWords = {
  task: 'Say in one sentence what a conversation is about: who wants what and why, so that a reader who sees nothing else understands it. From now on an assistant reads the sentence before everything else.',
  rulesTitle: 'Rules:',
  rules: [
    'Focus on the ongoing theme, not on individual actions: "Planning rice bowl meal prep", not "Just saved a recipe".',
    'Name the subject, never only "he" or "it". Leave out options, open questions and steps of the latest exchange.',
    'Keep the theme so far if the latest exchange belongs to it, and update it if not.',
  ],
}

/** What was asked and done in a turn that is shown no longer in full. */
export const turnWords: SentenceWords = {
  task: 'A turn of a conversation will no longer be shown in full. Say in one sentence what the user asked and what action was taken; from now on the sentence replaces the turn.',
  rulesTitle: 'Rules for the summary:',
  rules: [
    'Proposals are not completed actions. "I\'ll design 3 recipes" becomes "User requested X; assistant proposed a plan".',
    '"Done! Designed 3 recipes" becomes "Assistant created recipes: [names]".',
    'Focus on what the user asked and what action was taken.',
    'Say first any rule, limit or decision of the user, then what was done and whether it succeeded, then what is open.',
    'Mention what was created or changed, by its name.',
  ],
}

/** Of every sentence, after the one that says how long it may be. */
export const sentenceRules: readonly string[] = [
  'Use the EXACT names from the text. Do not invent, translate or paraphrase a name.',
  'Name things by their names. Write an id only where it names a document or a resource.',
  'Describe a long list by its count and kind, and do not enumerate it.',
]

/** Of older history in short, after the one that says how long it may be. */
export const foldingRules: readonly string[] = [
  'Your text replaces these lines: what is not in it is forgotten. Leave no turn out; say less about each.',
  'Do not repeat the turn that "summary" describes.',
]
