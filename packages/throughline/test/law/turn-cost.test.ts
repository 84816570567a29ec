import { createThroughline, type MessageInput } from 'throughline'
import { describe, expect, it } from 'vitest'

/**
 * What one more turn costs, in characters that the tokenizer counts: unlike time, they are the same on
 * every machine. Any program must count the new messages once.
 */

const model = 'window-8192'
const measuredTurns = 30

function turnMessages(turn: number): readonly MessageInput[] {
  const callId = `call-${turn}`
  const lines = Array.from(
    { length: 110 },
    (_, line) => `${line}  export const value${turn * 111 + line} = ${line * 7}`,
  )
  const input = { path: `src/values/${turn}.ts` }
  return [
    { role: 'user', content: `Turn ${turn}: are the values of the next file right?` },
    { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read_file', input }] },
    { role: 'tool', content: [{ type: 'tool-result', callId, output: lines.join('\n') }] },
  ]
}

async function costAfter(turns: number) {
  let counted = 0
  const tokenizer = {
    id: 'fours/1',
    exact: true,
    count: (text: string) => {
      counted += text.length
      return Math.ceil(text.length / 4)
    },
  }
  const models = [{ id: model, contextWindowTokens: 8_192 }]
  const engine = createThroughline({ models, tokenizer })
  const chat = engine.conversation('cost')
  const ask = async (turn: number) => {
    const messages = turnMessages(turn)
    await chat.append(messages)
    const { decision } = await chat.context({ model })
    const before = counted
    await engine.settled()
    counted = before
    return { appended: JSON.stringify(messages).length, isCompaction: decision.kind === 'compact' }
  }
  for (let turn = 0; turn < turns; turn += 20)
    await chat.append(Array.from({ length: 20 }, (_, at) => turnMessages(turn + at)).flat())
  for (let turn = turns; turn < turns + 12; turn += 1) await ask(turn)
  counted = 0
  const asked = []
  for (let turn = turns + 12; turn < turns + 12 + measuredTurns; turn += 1)
    asked.push(await ask(turn))
  await engine.close()
  const appended = asked.reduce((sum, each) => sum + each.appended, 0)
  return {
    ratio: counted / appended,
    compactions: asked.filter(({ isCompaction }) => isCompaction).length,
  }
}

describe('the cost of a turn', () => {
  it('is a few times the new messages, whatever the length of the log', async () => {
    const [short, long] = [await costAfter(40), await costAfter(400)]
    expect(short.compactions).toBeGreaterThan(5)
    expect(long.compactions).toBe(short.compactions)
    expect(short.ratio).toBeLessThan(7)
    expect(long.ratio / short.ratio).toBeLessThan(1.25)
  })
})
