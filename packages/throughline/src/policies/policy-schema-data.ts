/** The least that each figure of a turn memory may be, and what it does. */
import type { TurnRules } from '../domain/turn-memory.ts'

export const turnFigures: Readonly<
  Record<keyof TurnRules, readonly [least: number, sentence: string]>
> = {
  responseCharacters: [0, 'A longer answer gets a digest.'],
  fullTurns: [1, 'So many turns are shown in full.'],
  fullSteps: [0, 'The results of so many steps are shown in full.'],
  pendingTurns: [1, 'A generated entity that nobody confirms for so many turns becomes inactive.'],
  activeTurns: [1, 'An active entity that nothing names for so many turns becomes inactive.'],
  inactiveTurns: [1, 'An inactive entity is removed after so many turns.'],
  significantSteps: [1, 'A turn of so many steps is significant, and the theme is reviewed.'],
  entitiesPerType: [1, 'The most entities of a type that are shown.'],
  historyCharacters: [1, 'A longer history is folded.'],
  proposalCharacters: [0, 'The most of a proposal that is kept.'],
  condensedTokens: [1, 'The most tokens of the memory for routers and planners.'],
  fullTokens: [1, 'The most tokens of the memory for agents that act.'],
}
