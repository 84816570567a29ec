import { ToolLoopAgent } from 'ai'
import { describe, expect, it } from 'vitest'
import {
  agentReport,
  agentScript,
  instructions,
  run,
  task,
  tie,
  tools,
  type Way,
  windowTokens,
} from './agent.ts'
import { drawLog, engineOn } from './door-fixture.test-support.ts'
import { startModelServer } from './model-server.ts'

const ways: readonly Way[] = ['middleware', 'prepareStep']

describe.each(ways)('an agent of the AI SDK through %s', (way) => {
  it('works for many steps without a user message, inside the window', async () => {
    const report = await agentReport({ way, steps: 40, stream: false })
    expect(report).toMatchObject({ refused: 0, overflows: 0, taskShown: true, taskWhole: true })
    expect(report.problems).toEqual([])
    expect(report).toMatchObject({ steps: 40, requests: 40, duplicates: 0, missing: 0 })
    expect(report).toMatchObject({ usageTaken: 40, usageOther: 0 })
    expect(report.epochs).toBeGreaterThan(1)
  })

  it('leaves room for the longest reply that is asked for', async () => {
    const server = await startModelServer({ windowTokens, script: agentScript(30) })
    try {
      const tied = tie(way, engineOn(), server, { conversation: 'a' })
      const begin = [{ role: 'user' as const, content: task }]
      await run(tied, begin, { steps: 30, maxOutputTokens: 9_000 })
      expect(server.served.map(({ status }) => status)).toEqual(Array(30).fill(200))
      expect(Math.max(...server.served.map(({ tokens }) => tokens))).toBeLessThan(7_384)
    } finally {
      await server.close()
    }
  })

  it('streams as well', async () => {
    const report = await agentReport({ way, steps: 25, stream: true })
    expect(report.problems).toEqual([])
    expect(report).toMatchObject({ refused: 0, overflows: 0, steps: 25, duplicates: 0, missing: 0 })
    expect(report.epochs).toBeGreaterThan(1)
  })
})

it("an SDK agent accepts the step's own options", async () => {
  const server = await startModelServer({ windowTokens, script: agentScript(6) })
  const engine = engineOn()
  try {
    const { model, prepareStep } = tie('prepareStep', engine, server, { conversation: 'a' })
    if (prepareStep === undefined) throw new Error('no step')
    const agent = new ToolLoopAgent({ model, instructions, tools, prepareStep })
    const { text } = await agent.generate({ prompt: task })
    expect(text).toMatch(/must be changed first/)
    expect(await drawLog(engine, 'a')).toHaveLength(12)
  } finally {
    await server.close()
  }
})

it('the same agent without the engine exceeds the window, so the tests above can fail', async () => {
  const server = await startModelServer({ windowTokens, script: agentScript(40) })
  try {
    const { model } = tie('prepareStep', engineOn(), server)
    const begin = [{ role: 'user' as const, content: task }]
    const lost = run({ model, prepareStep: undefined }, begin, { steps: 40 })
    await expect(lost).rejects.toThrow(/maximum context length is 16384/)
  } finally {
    await server.close()
  }
})
