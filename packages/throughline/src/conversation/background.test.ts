import { expect, it } from 'vitest'
import { createBackground } from './background.ts'

it('does work one after the other, and goes on behind what failed', async () => {
  const done: string[] = []
  const background = createBackground((begin) => queueMicrotask(begin))
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

it('waits for no turn of the event loop where somebody waits for it', async () => {
  let done = false
  const background = createBackground(() => {})
  background.run(async () => {
    done = true
  })
  await background.settled()
  expect(done).toBe(true)
})

it('begins by itself, later', async () => {
  const begins: (() => void)[] = []
  const background = createBackground((begin) => begins.push(begin))
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

it('lets others come between where it pauses, unless somebody waits for it', async () => {
  const turns: (() => void)[] = []
  const background = createBackground((begin) => turns.push(begin))
  let steps = 0
  background.run(async (pause) => {
    for (; steps < 3; steps += 1) await pause()
  })
  turns.shift()?.()
  await Promise.resolve()
  await Promise.resolve()
  expect([steps, turns.length]).toEqual([0, 1])
  await background.settled()
  expect(steps).toBe(3)
})
