import { describe, expect, it } from 'vitest'
import { createThroughline } from '../throughline.ts'

async function begin() {
  const chat = createThroughline().conversation('c')
  const rejected =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nUse the harbour gate"
  await chat.append([
    { role: 'user', content: 'Open the harbour gate' },
    { role: 'assistant', content: 'The harbour gate is open.' },
    { role: 'user', content: 'The harbour closes at nine', origin: 'application' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'a', name: 'run', input: {} }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'a', output: rejected, isError: true }],
    },
    { role: 'assistant', content: 'Then the harbour gate it is.' },
  ])
  return chat
}

describe('a search for words of one origin', () => {
  it('finds what a person typed, in messages and in dialogs', async () => {
    const chat = await begin()
    const { pieces } = await chat.recall('harbour', { origin: 'person' })
    expect(pieces.map(({ anchor, kind }) => [anchor, kind]).toSorted()).toEqual([
      ['#0', 'messages'],
      ['#4', 'messages'],
    ])
    expect(pieces.every(({ origins }) => origins.includes('person'))).toBe(true)
  })

  it('finds what others wrote, and says whose words a result contains', async () => {
    const chat = await begin()
    const { pieces } = await chat.recall('harbour', { origin: 'application' })
    expect(pieces.map(({ anchor, origins }) => [anchor, origins])).toEqual([
      ['#2', ['application']],
    ])
    const all = await chat.recall('harbour')
    expect(new Set(all.pieces.flatMap(({ origins }) => origins))).toEqual(
      new Set(['person', 'model', 'application', 'tool']),
    )
    expect((await chat.recall('harbour', { origin: 'summary' })).pieces).toEqual([])
  })

  it('refuses an origin that does not exist', async () => {
    const chat = await begin()
    await expect(chat.recall('harbour', { origin: 'walrus' as never })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
