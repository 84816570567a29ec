import { expect, it } from 'vitest'
import { goldenOf } from '../../packages/throughline/src/transcripts/items.test-support.ts'
import { samples } from '../../packages/throughline/src/transcripts/samples.test-support.ts'

it('reads a tau-bench run', async () => {
  expect(await goldenOf(samples['tau-bench'])).toBe(`
conversation task-4-trial-2 {"taskId":4,"trial":2,"reward":1}
task-4-trial-2 [0].traj[0] user: Ein Maß
`)
})

it('reads the messages of a truncated run, and skips other values', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const runs = [
    { task_id: 1, reward: 0, traj: [{ role: 'assistant', content: null, tool_calls: [call] }] },
    7,
    {
      task_id: 1,
      reward: 0,
      traj: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ],
    },
  ]
  const text = JSON.stringify(runs).replace(/two.*$/, 'tw')
  expect(await goldenOf(text)).toBe(`
conversation task-1-trial-0 {"taskId":1,"reward":0}
task-1-trial-0 [0].traj[0] assistant: call c1 f {}
problem 1: a value that should be an object is something else
conversation run[2] {"taskId":1,"reward":0}
run[2] [2].traj[0] user: one
problem 1: the text ends inside [2]
`)
})

it('builds an id from texts and numbers only: an object may have its own toString', async () => {
  const hostile = { toString: 1, valueOf: 1 }
  const runs = [
    { task_id: hostile, traj: [] },
    { task_id: 4, trial: hostile, traj: [] },
    { task_id: 'x', trial: 1, traj: [] },
  ]
  expect(await goldenOf(JSON.stringify(runs))).toBe(`
conversation run[0] {"taskId":{"toString":1,"valueOf":1}}
conversation task-4-trial-0 {"taskId":4,"trial":{"toString":1,"valueOf":1}}
conversation task-x-trial-1 {"taskId":"x","trial":1}
`)
})
