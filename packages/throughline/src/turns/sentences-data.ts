/** Sentences and labels that the turn memory writes by rules (no LLM). Models read them. */

/** Replaces an answer that waits for the user. */
export const awaiting = {
  propose: 'Proposed a plan and awaiting user confirmation.',
  clarify: 'Asked clarifying questions and awaiting the answers of the user.',
} as const

/** Follows a shortened answer: where the rest is. */
export const restSigns = {
  steps: '… [see step results for details]',
  log: '… [whole in the log]',
} as const

/** A reader must not take a proposal for a completed action. */
export const waitingSentences = {
  propose: 'The assistant has proposed this and waits for the user to confirm it: nothing is done.',
  clarify: 'The assistant has asked this and waits for the user to answer: nothing is done.',
} as const

/** Precedes an answer that is shown in its own words. */
export const shownVerbs = { plan_direct: '', propose: 'proposed: ', clarify: 'asked: ' } as const

/** The label of the block with one line for each step. */
export const stepsLabel = 'steps: turn.step and outcome'

/** The answer of a turn whose texts were remembered before its actions. */
export function lateSentence(turn: number): string {
  return `What turn ${turn} did, reported later.`
}

/** The history line of turns that are neither shown nor compressed. */
export const noLineYet = 'Not summarized yet.'

/** Precedes an answer in a history line. */
export const historyVerbs = {
  plan_direct: 'assistant answered: ',
  propose: 'assistant proposed, awaiting confirmation: ',
  clarify: 'assistant asked back: ',
} as const
