import { describe, expect, it } from 'vitest'
import { goldenOf, messagesOf } from '../items.test-support.ts'
import { richSamples } from '../rich-samples.test-support.ts'
import { samples } from '../samples.test-support.ts'

function node(parent: string | null, text: string | null, more: object = {}) {
  const content = { content_type: 'text', parts: [text] }
  const message = text === null ? null : { author: { role: 'user' }, content, ...more }
  return { parent, message }
}

function conversation(mapping: object, more: object = {}) {
  return JSON.stringify([{ title: 't', conversation_id: 'c', mapping, ...more }])
}

describe("ChatGPT's export", () => {
  it('reads a conversation with its title and its times in seconds', async () => {
    expect(await goldenOf(samples.chatgpt)).toBe(`
conversation g1 {"createdAt":1767323045250}
g1 m1 user: Wie hoch ist das Tor? 🐑
`)
    const [message] = await messagesOf(samples.chatgpt)
    expect(message?.message.createdAt).toBe(1_767_323_046_500)
    expect(JSON.parse(String(message?.message.raw))).toMatchObject({ id: 'm1', recipient: 'all' })
  })

  it('reads every kind of content, tool calls and tool results', async () => {
    expect(await goldenOf(richSamples.chatgpt)).toBe(`
conversation g {"createdAt":1767323045250}
g m2 user: see | attachment-ref
g m3 assistant: (s
c) // gpt-x
g m4 assistant: call m4 python "print(1)" // gpt-x
g m5 tool: result m4 1
g m6 assistant: It is 1. // gpt-x
branch g: 1 messages
`)
  })

  it('reads the path to the current message, and counts messages on other branches', async () => {
    const mapping = {
      root: node(null, null),
      q: node('root', 'question'),
      old: node('q', 'first answer'),
      older: node('old', 'and on'),
      other: node('q', 'second answer'),
      now: node('q', 'third answer'),
      lost: node('nowhere', 'hangs on nothing'),
    }
    expect(await goldenOf(conversation(mapping, { current_node: 'now' }))).toBe(`
conversation c
c q user: question
c now user: third answer
branch c: 2 messages
branch c: 1 messages
branch c: 1 messages
`)
    // Without a current message, the newest leaf is the end of the path.
    expect(await goldenOf(conversation({ ...mapping, lost: node('now', 'last') }))).toContain(
      'c now user: third answer\nc lost user: last',
    )
  })

  it('stops where a tree has a cycle', async () => {
    const mapping = { a: node('b', 'a'), b: node('a', 'b'), x: node('y', 'x'), y: node('x', 'y') }
    expect(await goldenOf(conversation(mapping, { current_node: 'a' }))).toBe(`
conversation c
c b user: b
c a user: a
branch c: 2 messages
`)
  })

  it('reads a tree with one very deep path', async () => {
    const count = 20_000
    const nodes = Array.from({ length: count }, (_, index) => [
      `n${index}`,
      node(index === 0 ? null : `n${index - 1}`, `${index}`),
    ])
    const text = conversation(Object.fromEntries(nodes), { current_node: `n${count / 2}` })
    const items = await goldenOf(text)
    expect(items.trim().split('\n').at(-1)).toBe(`branch c: ${count / 2 - 1} messages`)
  })

  it('pairs results with calls by their order, and skips empty messages', async () => {
    const tool = (name: string, text: string) => ({
      author: { role: 'tool', name },
      content: { content_type: 'execution_output', text },
    })
    const call = { author: { role: 'assistant' }, recipient: 'web.run' }
    const mapping = {
      a: node(null, '{"q":"sheep"}', call),
      b: node('a', 'x', tool('web.run', 'found')),
      c: node('b', 'x', tool('web.run', 'and more')),
      d: node('c', ''),
      e: node('d', 'x', { author: { role: 'walrus' } }),
    }
    expect(await goldenOf(conversation(mapping, { current_node: 'e' }))).toBe(`
conversation c
c a assistant: call a web.run {"q":"sheep"}
c b tool: result a found
c c tool: result c and more
problem 1: e is not a known kind of message
`)
  })

  it('reads the custom instructions of a user as a system message', async () => {
    const about = { user_context_message_data: { about_user_message: 'I herd.' } }
    const context = { content_type: 'user_editable_context', user_instructions: 'Be brief.' }
    const mapping = {
      a: node(null, '', { author: { role: 'system' }, metadata: about }),
      b: node('a', 'x', { content: context }),
    }
    expect(await goldenOf(conversation(mapping, { current_node: 'b' }))).toBe(`
conversation c
c a system: I herd.
c b system: Be brief. // {"customInstructions":true}
`)
  })

  it('reports a conversation without messages, and reads the next one', async () => {
    const good = JSON.parse(samples.chatgpt)[0]
    const text = `[\n{"title":"t","mapping":[]},\n${JSON.stringify(good)},\n{"title":"t","map`
    expect((await goldenOf(text)).split('\n').slice(1, -1)).toEqual([
      'problem 2: the record holds no messages under "mapping"',
      'conversation g1 {"createdAt":1767323045250}',
      'g1 m1 user: Wie hoch ist das Tor? 🐑',
      expect.stringMatching(/^problem 4: the text ends inside/),
    ])
  })
})
