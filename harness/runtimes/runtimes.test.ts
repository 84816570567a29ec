/** `fit` in Chromium and without Node; `npm run test:runtimes` runs more histories, and an edge runtime. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonCases } from './cases.ts'
import { startChromium } from './chromium.ts'
import { compareWithNode } from './compare.ts'
import { startBare } from './edge.ts'
import type { Runtime } from './runtime.ts'

let cases: readonly string[]
let [page, bare]: readonly Runtime[] = []
beforeAll(async () => {
  cases = await jsonCases(6, 1)
  page = await startChromium()
  bare = await startBare()
})
afterAll(() => page?.stop())

describe('fit returns the same bytes as in Node', () => {
  it.each([
    ['in Chromium', () => page],
    ['where there is nothing of Node', () => bare],
  ])('%s', async (_, runtime) => {
    const compared = await compareWithNode(runtime() as Runtime, cases)
    expect(compared.findings).toEqual([])
    expect(compared.same).toBe(cases.length)
    expect(compared.compacted).toBeGreaterThan(0)
  })

  it('and a runtime that differs in one byte is found', async () => {
    const other: Runtime = {
      ...(bare as Runtime),
      run: (async (name, ...args) =>
        String(await bare?.run(name, ...args)).replace('"tokens":', '"token5":')) as Runtime['run'],
    }
    const { findings, same } = await compareWithNode(other, cases.slice(0, 1))
    expect([findings.length, same]).toEqual([1, 0])
  })
})

describe('a web page', () => {
  it('loads a vocabulary only if it passes no tokenizer of its own', async () => {
    const fresh = await startChromium()
    const hasVocabulary = () => fresh.loaded().some((name) => name.startsWith('estimate'))
    try {
      for (const json of cases) await fresh.run('fitCase', json, 'bytes')
      expect(fresh.loaded().some((name) => name.startsWith('make-view'))).toBe(true)
      expect(hasVocabulary()).toBe(false)
      // gpt-tokenizer is not installed there.
      expect(await fresh.run('fitByDefault')).toBeGreaterThan(4)
      expect(hasVocabulary()).toBe(true)
      expect(fresh.problems()).toEqual([])
    } finally {
      await fresh.stop()
    }
  })
})
