import type { TurnRules } from './turn-memory.ts'

/**
 * The default figures of turn memories.
 *
 * @example
 * const turns = { ...turnRules, fullTurns: 5 }
 * const policy = { ...policies['turn-memory'], advanced: { turns } }
 */
export const turnRules: TurnRules = {
  responseCharacters: 400,
  fullTurns: 3,
  fullSteps: 3,
  pendingTurns: 3,
  activeTurns: 5,
  inactiveTurns: 2,
  significantSteps: 2,
  entitiesPerType: 5,
  historyCharacters: 2_000,
  proposalCharacters: 2_000,
  condensedTokens: 8_000,
  fullTokens: 25_000,
}
