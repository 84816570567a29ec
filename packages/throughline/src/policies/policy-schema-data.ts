/** The minimum and the documentation of each figure of a turn memory. */
import type { TurnRules } from '../domain/turn-memory.ts'

export const turnFigures: Readonly<
  Record<keyof TurnRules, readonly [min: number, sentence: string]>
> = {
  responseCharacters: [0, 'A longer answer gets a digest.'],
  fullTurns: [1, 'How many turns are shown in full.'],
  fullSteps: [0, 'How many steps are shown with their full results.'],
  pendingTurns: [
    1,
    'After this many turns without confirmation or a mention, a generated entity becomes inactive.',
  ],
  activeTurns: [1, 'After this many turns without a mention, an active entity becomes inactive.'],
  inactiveTurns: [1, 'After this many turns, an inactive entity is removed.'],
  significantSteps: [1, 'A turn with this many steps is significant: the theme is reviewed.'],
  entitiesPerType: [1, 'How many entities of one type are shown at most.'],
  historyCharacters: [1, 'A longer history is folded.'],
  proposalCharacters: [0, 'How many characters of a proposal are kept.'],
  condensedTokens: [1, 'The token limit of the memory for routers and planners.'],
  fullTokens: [1, 'The token limit of the memory for agents that act.'],
}
