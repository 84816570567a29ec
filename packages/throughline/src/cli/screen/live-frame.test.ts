import { describe, expect, it } from 'vitest'
import { testWorld } from '../world.test-support.ts'
import { liveFrame } from './progress.ts'

function onTerminal(screen: { width?: number; height?: number } = {}) {
  const { world, output } = testWorld({
    screen: { isTerminal: true, width: 20, height: 5, ...screen },
  })
  const clock = { now: 0 }
  const frame = liveFrame({ ...world, now: () => clock.now })
  return { frame, clock, written: () => output().stderr }
}

describe('a live frame', () => {
  it('is redrawn in place, at most fifteen times a second', async () => {
    const { frame, clock, written } = onTerminal()
    await frame.draw(() => ['one', 'two'])
    const first = written().length
    clock.now = 50
    await frame.draw(() => ['never'])
    expect(written()).toHaveLength(first)
    clock.now = 70
    await frame.draw(() => ['three'])
    expect(written().slice(first)).toContain('\u001b[2A\rthree\u001b[K\n\u001b[J')
    await frame.draw(() => ['last'], true)
    expect(written()).toContain('last')
    await frame.end()
    expect(written().endsWith('\u001b[1A\r\u001b[J')).toBe(true)
  })

  it('is cut to the screen size, and resets its colours', async () => {
    const { frame, written } = onTerminal()
    const green = `\u001b[32m${'g'.repeat(30)}\u001b[39m`
    await frame.draw(() => [green, '2', '3', '4', '5', '6'])
    expect(written()).toContain(`\u001b[32m${'g'.repeat(19)}\u001b[39m\u001b[K\n`)
    expect(written().split('\n')).toHaveLength(5)
  })
})
