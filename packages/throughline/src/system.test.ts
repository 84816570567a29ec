import { createHash } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'

const texts = [
  '',
  'abc',
  'é\u0000\u{1f600}',
  'x'.repeat(1_000),
  // Longer than a piece, and its pairs are at even and at odd places.
  '\u{1f600}'.repeat(40_000),
  `x${'\u{1f600}'.repeat(40_000)}`,
]
const expected = texts.map((text) => createHash('sha256').update(text).digest('hex'))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('hashes text and bytes with what the runtime has', async () => {
  const { sha256 } = await import('./system.ts')
  expect(texts.map((text) => sha256(text))).toEqual(expected)
  expect(texts.map((text) => sha256([...text]))).toEqual(expected)
  expect(texts.map((text) => sha256(new TextEncoder().encode(text)))).toEqual(expected)
})

it('hashes alike where there is no Node, as in a browser', async () => {
  vi.resetModules()
  vi.stubGlobal('process', undefined)
  const { sha256 } = await import('./system.ts')
  const hashes = texts.map((text) => sha256(text))
  const ofPieces = texts.map((text) => sha256([...text]))
  vi.unstubAllGlobals()
  expect(hashes).toEqual(expected)
  expect(ofPieces).toEqual(expected)
})

it('waits for its time, or until it is aborted', async () => {
  const { systemTimer } = await import('./system.ts')
  const started = performance.now()
  await systemTimer.wait(20, new AbortController().signal)
  expect(performance.now() - started).toBeGreaterThanOrEqual(18)
  const controller = new AbortController()
  const waiting = systemTimer.wait(2 ** 40, controller.signal)
  controller.abort()
  await waiting
  await systemTimer.wait(2 ** 40, controller.signal)
  expect(performance.now() - started).toBeLessThan(5_000)
})
