import { describe, expect, it } from 'vitest'
import { itemsOf } from './items.test-support.ts'
import { readTranscript } from './read-transcript.ts'
import { jsonLines } from './samples.test-support.ts'

function task(id: string, prompt: string) {
  return { type: 'tool_use', id, name: 'Task', input: { prompt } }
}

function assistant(content: unknown) {
  return { type: 'assistant', sessionId: 's', message: { content } }
}

/** More than a function accepts as arguments: spreading so many would throw. */
const beyondArguments = 130_000

describe('large transcripts', () => {
  it('read a meeting of any length with evidence throughout, any number of times', async () => {
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

  it('find the calls of many agents with the same prompt', async () => {
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

describe('a line that is larger than the longest message', () => {
  const most = 64 * 1024 * 1024
  const piece = 'and so on '.repeat(6_400)

  /** Yields pieces on demand, so the whole line is never in memory. */
  async function* giantLine(characters: number): AsyncGenerator<string> {
    yield '{"role":"user","content":"Hello"}\n{"role":"assistant","content":"Hello to you"}\n'
    yield '{"role":"user","content":"'
    for (let done = 0; done < characters; done += piece.length) yield piece
    yield '"}\n{"role":"assistant","content":"After it"}\n'
  }

  it('is refused with its line number before it ends, and reading continues after it', async () => {
    const items = await itemsOf(giantLine(most + 1))
    const problem = { line: 3, reason: `the document is larger than ${most} bytes` }
    expect(items.filter(({ kind }) => kind === 'problem')).toMatchObject([problem])
    const texts = items.flatMap((item) => (item.kind === 'message' ? [item.message.content] : []))
    expect(texts.flat()).toHaveLength(3)
    await expect(itemsOf(giantLine(most + 1), { onBroken: 'abort' })).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      message: expect.stringContaining('line 3'),
    })
  })

  it('is read message by message if it holds many', async () => {
    async function* body(): AsyncGenerator<string> {
      yield '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}'
      for (let done = 0; done < most * 1.1; done += 20 * piece.length)
        yield `,{"role":"assistant","content":"${piece.repeat(20)}"},{"role":"user","content":"Go on"}`
      yield ']}\n{"model":"gpt-5","messages":[{"role":"user","content":"Another"}]}\n'
    }
    let messages = 0
    for await (const item of readTranscript(body(), { format: 'openai' })) {
      expect(item.kind).not.toBe('problem')
      if (item.kind === 'message') messages += 1
    }
    expect(messages).toBeGreaterThan(100)
  })
})
