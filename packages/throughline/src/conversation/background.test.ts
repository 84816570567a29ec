import { expect, it } from 'vitest'
import { systemTimer } from '../system.ts'
import { createBackground } from './background.ts'

const backgroundOf = (later: (begin: () => void) => void) =>
  createBackground({ later, laterAwaited: later, timer: systemTimer })

it('runs one job after the other, and continues after a failure', async () => {
  const done: string[] = []
  const background = backgroundOf((begin) => queueMicrotask(begin))
  background.run(async () => {
    await Promise.resolve()
    done.push('first')
  })
  background.run(() => Promise.reject(new Error('no')))
  background.run(async () => {
    done.push('second')
    background.run(async () => {
      done.push('third')
    })
  })
  expect(done).toEqual([])
  await background.settled()
  expect(done).toEqual(['first', 'second', 'third'])
})

it('does not wait for the event loop while a caller waits for it', async () => {
  let done = false
  const background = backgroundOf(() => {})
  background.run(async () => {
    done = true
  })
  await background.settled()
  expect(done).toBe(true)
})

it('starts later without being awaited', async () => {
  const begins: (() => void)[] = []
  const background = backgroundOf((begin) => begins.push(begin))
  let times = 0
  const work = async () => {
    times += 1
  }
  background.run(work)
  background.run(work)
  expect([begins.length, times]).toEqual([1, 0])
  begins[0]?.()
  await background.settled()
  background.run(work)
  expect(begins).toHaveLength(2)
  begins[1]?.()
  await background.settled()
  expect(times).toBe(3)
})

it('lets other work run where it pauses, also while a caller waits for it', async () => {
  const turns: (() => void)[] = []
  const background = backgroundOf((begin) => turns.push(begin))
  let steps = 0
  background.run(async (pause) => {
    for (; steps < 3; steps += 1) await pause()
  })
  turns.shift()?.()
  await Promise.resolve()
  await Promise.resolve()
  expect([steps, turns.length]).toEqual([0, 1])
  let isSettled = false
  const settled = background.settled().then(() => {
    isSettled = true
  })
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  expect([steps, isSettled]).toEqual([1, false])
  while (!isSettled) {
    turns.shift()?.()
    await Promise.resolve()
  }
  await settled
  expect(steps).toBe(3)
})

it('lets work run after it was closed, and ends it at a pause when the time is over', async () => {
  const background = backgroundOf((begin) => setTimeout(begin, 0))
  let [steps, short] = [0, false]
  background.run(async (pause) => {
    await pause()
    short = true
  })
  background.run(async (pause) => {
    for (;;) {
      steps += 1
      await pause()
    }
  })
  let isLateDone = false
  background.run(async () => {
    isLateDone = true
  })
  await background.close(30)
  expect([short, steps > 1, isLateDone]).toEqual([true, true, false])
  const before = steps
  background.run(async () => {
    isLateDone = true
  })
  await background.settled()
  expect([steps, isLateDone]).toEqual([before, false])
})
