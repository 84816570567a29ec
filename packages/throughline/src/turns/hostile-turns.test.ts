import { describe, expect, it } from 'vitest'
import { turnRules } from '../domain/turn-rules-data.ts'
import { hostileTexts } from '../extract/hostile-text.test-support.ts'
import { processorMs } from '../extract/processor-time.test-support.ts'
import { logFigure, trialSizes } from '../extract/trial-sizes.test-support.ts'
import { pendingDecision, stepRecords } from './build-record.ts'
import { compressionQuestion, responseQuestion, themeQuestion } from './questions.ts'
import { acceptedText, noStep, noThought, recordOf, turnOf } from './turns.test-support.ts'

// Generous for a busy machine; quadratic code would take a hundred times as long.
const stallMs = Math.max(150, trialSizes.hostileCharacters / 125)

function readEverything(text: string): void {
  const turn = turnOf({
    finalResponse: text,
    userMessage: text,
    router: { agent: null, goal: text, complexity: 'high' },
    steps: [{ ...noStep, outcome: null, result: text }],
  })
  const response = responseQuestion(turn, turnRules)
  const sentence = 'Saved the recipe "Pad Thai" for Ada Lovelace, all 3 of them.'
  if (response.kind === 'ask') acceptedText(response.question, sentence)
  acceptedText(themeQuestion(null, turn, text), sentence)
  const compressed = compressionQuestion(recordOf({ user: text, assistant: text }), [], turnRules)
  if (compressed !== null) acceptedText(compressed, text)
  stepRecords(turn, 1)
  const think = { ...noThought, decision: 'propose', proposalMessage: text } as const
  pendingDecision({ ...turn, think }, 1, null, turnRules)
}

describe('turns with hostile texts', () => {
  it.each(Object.entries(hostileTexts))('are processed in linear time: %s', (name, text) => {
    const time = processorMs(() => readEverything(text), stallMs)
    logFigure(`${name}: ${time.toFixed(0)} ms`)
    expect(time).toBeLessThan(stallMs)
  })
})
