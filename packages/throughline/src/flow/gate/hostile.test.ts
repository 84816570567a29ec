import { describe, expect, it } from 'vitest'
import { hostileTexts } from '../../extract/hostile-text.test-support.ts'
import { processorMs } from '../../extract/processor-time.test-support.ts'
import { logFigure, trialSizes } from '../../extract/trial-sizes.test-support.ts'
import { judged, opening, session, tool } from './gate.test-support.ts'
import { indexSources } from './source-index.ts'

// For each character of the text, with room for a busy machine; what is quadratic takes a
// hundred times as long.
const stallMs = Math.max(150, trialSizes.hostileCharacters / 500)

const index = indexSources(session)
const roomy = { limits: { tokens: trialSizes.hostileCharacters }, replacedTokens: 10_000_000 }

describe('the gate on texts that stall a reader', () => {
  it.each(Object.entries(hostileTexts))('judges %s in time', (name, text) => {
    const alone = processorMs(() => judged(text, { ...roomy, sources: index }), stallMs)
    const after = processorMs(
      () => judged(`${opening}\n\n${text}`, { ...roomy, sources: index }),
      stallMs,
    )
    logFigure(`${name}: ${alone.toFixed(0)} ms, ${after.toFixed(0)} ms behind a summary`)
    expect(Math.max(alone, after)).toBeLessThan(stallMs)
  })

  it.each(Object.entries(hostileTexts))('knows sources with %s in time', (name, text) => {
    const time = processorMs(() => judged(opening, { sources: [...session, tool(text)] }), stallMs)
    logFigure(`${name} in the sources: ${time.toFixed(0)} ms`)
    expect(time).toBeLessThan(stallMs)
  })
})
