/** What the turn memory says by rules, word for word. */

/** What stands in place of an answer that leaves something open. */
export const awaiting = {
  propose: 'Proposed a plan and awaiting user confirmation.',
  clarify: 'Asked clarifying questions and awaiting the answers of the user.',
} as const

/** Where the rest of an answer is: steps have brought it, or the answer itself said it. */
export const restSigns = {
  steps: '… [see step results for details]',
  log: '… [whole in the log]',
} as const

/** Whoever reads it must not take for done what was only proposed. */
export const waitingSentences = {
  propose: 'The assistant has proposed this and waits for the user to confirm it: nothing is done.',
  clarify: 'The assistant has asked this and waits for the user to answer: nothing is done.',
} as const

/** Before an answer that is shown as it was. */
export const shownVerbs = {
  plan_direct: '',
  propose: 'proposed: ',
  clarify: 'asked: ',
} as const

/** Before an answer in a line of the history. */
export const historyVerbs = {
  plan_direct: 'assistant answered: ',
  propose: 'assistant proposed, awaiting confirmation: ',
  clarify: 'assistant asked back: ',
} as const
