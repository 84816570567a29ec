/** How many turns pass between two compactions of a conversation whose turns fill much of the window. */
import { describe, expect, it } from 'vitest'
import { createThroughline, type MessageInput } from '../../src/index.ts'

const windowTokens = 8_192
const card = { id: 'window', contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
const tokensPerLine = 11.3

function turnOf(turn: number, tokens: number): readonly MessageInput[] {
  const callId = `call-${turn}`
  const lines = Array.from(
    { length: Math.round(tokens / tokensPerLine) },
    (_, line) => `${line}  export const value${turn * 200 + line} = ${line * 7}`,
  )
  return [
    { role: 'user', content: `Turn ${turn}: look at the file again and check its values.` },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', callId, name: 'read_file', input: { path: `src/values/${turn}.ts` } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId, output: lines.join('\n') }] },
  ]
}

/** The turns of each epoch that a compaction began and another ended. */
async function epochsOf(turns: number, tokens: number): Promise<readonly number[]> {
  const tl = createThroughline({ models: [card] })
  const chat = tl.conversation('made')
  const begins: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    await chat.append(turnOf(turn, tokens))
    const { decision } = await chat.context({ model: card.id, system: 'You read files.' })
    if (decision.kind === 'compact') begins.push(turn)
  }
  await tl.close()
  return begins.slice(1).map((turn, at) => turn - (begins[at] ?? 0))
}

describe('an epoch without a model, after the history block is full', () => {
  it.each([
    { name: 'a sixth', tokens: 1_260, turns: 3 },
    { name: 'a tenth', tokens: 730, turns: 4 },
  ])('lasts at least $turns turns of $name of the window', async ({ tokens, turns }) => {
    const epochs = await epochsOf(48, tokens)
    expect(epochs.length).toBeGreaterThan(5)
    expect(Math.min(...epochs)).toBeGreaterThanOrEqual(turns)
  })
})
