import { expect, it } from 'vitest'
import { turnRules } from './turn-rules-data.ts'

it('S0-063 S0-064 S0-065 S0-066 A-004 A-007 A-015: the figures are those of the design', () => {
  expect(turnRules).toEqual({
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
  })
})
