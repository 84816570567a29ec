import { describe, expect, it } from 'vitest'
import { itemsOf } from './items.test-support.ts'
import { jsonLines } from './samples.test-support.ts'

function task(id: string, prompt: string) {
  return { type: 'tool_use', id, name: 'Task', input: { prompt } }
}

function assistant(content: unknown) {
  return { type: 'assistant', sessionId: 's', message: { content } }
}

/** More than a function takes as arguments: spreading so many would throw. */
const beyondArguments = 130_000

describe('large transcripts', () => {
  it('read a meeting of any length, with evidence all over it, any number of times', async () => {
    const turns = Array.from({ length: beyondArguments }, () => ({ speaker: 'a', content: '' }))
    const everything = Array.from({ length: 2_000 }, () => ['0', `${beyondArguments}`])
    const items = await itemsOf(
      jsonLines({
        meeting_transcripts: turns,
        specific_query_list: [{ query: 'q', relevant_text_span: everything }],
      }),
    )
    expect(items.at(-1)).toMatchObject({ evidence: [{ from: 0, to: beyondArguments }] })
  })

  it('read a message with any number of calls', async () => {
    const calls = Array.from({ length: beyondArguments }, (_, index) => task(`t${index}`, 'look'))
    const items = await itemsOf(jsonLines(assistant(calls)))
    expect(items.map(({ kind }) => kind)).toEqual(['conversation', 'message'])
  })

  it('find the calls of many agents that have one prompt', async () => {
    const count = 5_000
    const calls = Array.from({ length: count }, (_, index) => task(`t${index}`, 'look'))
    const chains = Array.from({ length: count }, (_, index) => ({
      type: 'user',
      uuid: `x${index}`,
      sessionId: 's',
      isSidechain: true,
      message: { content: 'look' },
    }))
    const text = jsonLines(assistant(calls), ...chains)
    const items = await itemsOf(text)
    const parents = items.flatMap((item) => (item.kind === 'conversation' ? [item.parent] : []))
    expect(parents.map((parent) => parent?.callId)).toEqual([
      undefined,
      ...calls.map(({ id }) => id),
    ])
  })
})
