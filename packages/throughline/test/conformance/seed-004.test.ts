/** The design with a running summary: how its model is asked, and its queue. */
import { createThroughline, type Job, policies, type Queue } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import { describe, expect, it } from 'vitest'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import { giant, model, placesIn } from '../summaries/set-up.ts'

const policy = 'running-rag'
const models = [{ id: model, contextWindowTokens: 16_000, tokenizer: 'o200k_base' }] as const

const writing = () =>
  scriptedModel(({ messages, schema }) =>
    truthfulSummary({
      messages: messages.map(({ role, content }) => ({ role, text: content })),
      schema,
    }),
  )

/** A queue whose jobs run when a test says so. */
function heldQueue(add: (job: Job) => void = () => {}) {
  const jobs: Job[] = []
  let run: (job: Job, signal: AbortSignal) => Promise<void> = async () => {}
  const queue: Queue = {
    start: (given) => {
      run = given
    },
    add: (job) => {
      add(job)
      jobs.push(job)
    },
    settled: async () => {},
    close: async () => {},
  }
  const work = async () => {
    for (const job of jobs.splice(0)) await run(job, new AbortController().signal)
  }
  return { queue, jobs, work }
}

async function longTalk(queue: Queue, summarizer = writing()) {
  const tl = createThroughline({ policy, models, queue, summarizer })
  const chat = tl.conversation('c')
  const say = async (from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      const [question, answer] = giant(120)(index)
      await chat.append(question)
      await chat.context({ model })
      await chat.append(answer)
    }
    return chat.context({ model })
  }
  return { chat, say, summarizer }
}

describe('how the model is asked', () => {
  it('H-003 INV-11: for nothing that is random, and in chunks of 4,000 tokens', async () => {
    expect(policies[policy].summarizers).toMatchObject([{ chunkTokens: 4_000 }])
    const { queue, work } = heldQueue()
    const { chat, say, summarizer } = await longTalk(queue)
    const [question, answer] = giant(11_000)(0)
    await chat.append([question, answer])
    await say(1, 12)
    await work()
    const { text } = await createThroughline({ models }).meter(model)
    expect(summarizer.asked.length).toBeGreaterThan(2)
    for (const { temperature, messages } of summarizer.asked) {
      expect(temperature).toBe(0)
      expect(text(messages.map(({ content }) => content).join(''))).toBeLessThanOrEqual(4_000)
    }
  })
})

describe('the queue', () => {
  it('H-004: can be replaced, and no request waits for it', async () => {
    const { queue, jobs, work } = heldQueue()
    const { chat, say } = await longTalk(queue)
    const before = await say(0, 12)
    expect(jobs).toContainEqual(expect.objectContaining({ kind: 'summarize', conversation: 'c' }))
    expect(JSON.parse(JSON.stringify(jobs))).toEqual(jobs)
    expect(await chat.summaries()).toEqual([])
    expect(placesIn(before)[0]).toBe(0)
    await work()
    expect(await chat.summaries()).toHaveLength(1)
    expect(placesIn(await say(12, 13))[0]).toBeGreaterThan(0)
  })

  it('H-004: that takes nothing in is no failure, and is asked again', async () => {
    let isFull = true
    let tried = 0
    const { queue, jobs, work } = heldQueue(() => {
      tried += 1
      if (isFull) throw new Error('the queue is full')
    })
    const { chat, say } = await longTalk(queue)
    const context = await say(0, 12)
    expect(context.tokens).toBeLessThanOrEqual(context.available)
    expect(tried).toBeGreaterThan(0)
    expect(jobs).toEqual([])
    isFull = false
    await say(12, 13)
    await work()
    expect(await chat.summaries()).toHaveLength(1)
  })
})
