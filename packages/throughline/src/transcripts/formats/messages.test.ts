import { describe, expect, it } from 'vitest'
import type { Message, MessageInput } from '../../index.ts'
import { parseMessages } from '../../toolkit/index.ts'
import { detectFormat } from '../detect-format.ts'
import { goldenOf, itemsOf, messagesOf } from '../items.test-support.ts'
import { jsonLines } from '../samples.test-support.ts'
import { storeItems } from '../store-items.test-support.ts'

const user = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more })
const assistant = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more })

describe('a message on each line', () => {
  it('is one conversation, named after the file', async () => {
    const text = jsonLines(
      { role: 'system', content: 'You herd.' },
      { role: 'developer', content: 'Be brief.' },
      user('How many?', { name: 'ana', id: 'm1', metadata: { shed: 4 } }),
      assistant(null, {
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'count', arguments: '{ "n" : 1.0 }' } },
        ],
      }),
      { role: 'tool', tool_call_id: 'c1', content: '7' },
      assistant('Seven.', { model: 'gpt-x', usage: { prompt_tokens: 9, completion_tokens: 2 } }),
      { role: 'assistant', function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: '8' },
    )
    expect(detectFormat(text)).toBe('messages')
    expect(await goldenOf(text, { name: 'talk' })).toBe(`
conversation talk
talk line:1 system: You herd.
talk line:2 system: Be brief. // {"role":"developer"}
talk m1 user (ana): How many? // {"metadata":{"shed":4}}
talk line:4 assistant: call c1 count { "n" : 1.0 }
talk line:5 tool: result c1 7
talk line:6 assistant: Seven. // gpt-x 9/2/null/null
talk line:7 assistant: call line:7.function_call old {}
talk line:8 tool: result line:7.function_call 8
`)
  })

  it('reads content in the form of OpenAI and of Anthropic', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAEC' }
    const text = jsonLines(
      user([
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'https://farm.example/a.png' } },
      ]),
      user([
        { type: 'text', text: 'and' },
        { type: 'image', source },
      ]),
      assistant(
        [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'count', input: { n: 1 } },
        ],
        { usage: { input_tokens: 5, output_tokens: 7 } },
      ),
      user([{ type: 'tool_result', tool_use_id: 't1', content: '7' }]),
      { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 't2', content: '8' }] },
      assistant([{ type: 'text', text: 'Seven.' }]),
    )
    expect(await goldenOf(text, { name: 'talk' })).toBe(`
conversation talk
talk line:1 user: look | file image/* https://farm.example/a.png
talk line:2 user: and | file image/png AAEC
talk line:3 assistant: (hm)s | call t1 count {"n":1} // 5/7/null/null
talk line:4 tool: result t1 7
talk line:5 tool: result t2 8
talk line:6 assistant: Seven.
`)
  })

  it('reads the messages of `append` as they are', async () => {
    const at = Date.UTC(2026, 0, 31)
    const call = { type: 'tool-call', callId: 'c1', name: 'count', input: { n: 1 } } as const
    const messages: readonly MessageInput[] = [
      { role: 'user', content: 'How many?', author: 'ana', createdAt: at, meta: { shed: 4 } },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, call], key: 'k1' },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'c1', output: 'seven' }] },
      {
        role: 'tool',
        content: [
          {
            ...{ type: 'tool-result', callId: 'c2', name: 'count', isError: true },
            output: { kind: 'json', json: '{"n": 7}' },
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Sure?', metadata: { tone: 1 } }] },
      { role: 'assistant', content: 'Sev', status: 'incomplete' },
    ]
    const text = jsonLines(...messages)
    expect(detectFormat(text)).toBe('messages')
    const fieldsOf = ({ role, author, parts, status, meta }: Message) =>
      [role, author, parts, status, meta] as const
    const read = (await messagesOf(text)).map(({ message }) => message)
    expect(parseMessages(read).map(fieldsOf)).toEqual(parseMessages(messages).map(fieldsOf))
    expect(read.map(({ key }) => key)).toContain('k1')
    expect(read[0]?.createdAt).toBe(at)
    const list = await messagesOf(JSON.stringify(messages))
    const partsOf = ({ parts }: Message) => parts
    expect(parseMessages(list.map(({ message }) => message)).map(partsOf)).toEqual(
      parseMessages(messages).map(partsOf),
    )
  })

  it.each([
    'conversation_id',
    'conversationId',
    'session_id',
    'sessionId',
    'thread_id',
    'threadId',
    'chat_id',
    'chatId',
  ])('is split by %s where lines have one', async (field) => {
    const text = jsonLines(
      user('a', { [field]: 'one' }),
      user('b', { [field]: 'two', id: 'x' }),
      assistant('c', { [field]: 'one' }),
      user('d', { [field]: null }),
      user('e', { [field]: 7, id: 'x' }),
    )
    expect(await goldenOf(text, { name: 'talk' })).toBe(`
conversation one
one line:1 user: a
conversation two
two x user: b
one line:3 assistant: c
conversation talk
talk line:4 user: d
conversation 7
7 x user: e
`)
    const list = JSON.stringify([user('a', { [field]: 'one' }), user('b', { [field]: 'two' })])
    expect(await goldenOf(list, { name: 'talk' })).toBe(`
conversation one
one [0] user: a
conversation two
two [1] user: b
`)
  })

  it('distinguishes ids that JavaScript would parse to the same number', async () => {
    const line = (id: string) => `{"role":"user","content":"a","chat_id":${id},"id":${id}}\n`
    const text = line('9007199254740993') + line('9007199254740992') + line('9007199254740993')
    expect(await goldenOf(text)).toBe(`
conversation 9007199254740993
9007199254740993 9007199254740993 user: a
conversation 9007199254740992
9007199254740992 9007199254740992 user: a
9007199254740993 9007199254740993#2 user: a
`)
  })

  it('matches a legacy function result to the call of its own conversation', async () => {
    const call = { role: 'assistant', function_call: { name: 'f', arguments: '{}' } }
    const result = { role: 'function', name: 'f', content: '1' }
    const text = jsonLines(
      { ...call, chat_id: 'a' },
      { ...call, chat_id: 'b' },
      { ...result, chat_id: 'a' },
    )
    expect((await goldenOf(text)).trimEnd().split('\n').at(-1)).toBe(
      'a line:3 tool: result line:1.function_call 1',
    )
  })

  it('keeps the exact text of every line', async () => {
    const lines = [
      '{ "role":"user", "content":"\\ud83d", "n": 12345678901234567890 }',
      '{"content":[{"type":"odd","n":1.0}],"role":"user"}',
    ]
    const messages = await messagesOf(lines.join('\n'))
    expect(messages.map(({ message }) => message.raw)).toEqual(lines)
    expect(messages[1]?.message.content).toEqual([
      { type: 'opaque', kind: 'openai/odd', json: '{"type":"odd","n":1.0}' },
    ])
  })

  it.each([
    ['timestamp', '2026-01-02T03:04:05.250Z'],
    ['created_at', 1_767_323_045.25],
    ['createdAt', 1_767_323_045_250],
    ['ts', '1767323045.250'],
    ['time', 1_767_323_045_250_000],
  ])('reads the time under %s', async (field, time) => {
    const text = jsonLines(user('a', { [field]: time }), user('b', { [field]: 'soon' }))
    const times = (await messagesOf(text)).map(({ message }) => message.createdAt)
    expect(times).toEqual([Date.UTC(2026, 0, 2, 3, 4, 5, 250), undefined])
    const listed = await messagesOf(JSON.stringify([user('a', { [field]: time })]))
    expect(listed[0]?.message.createdAt).toBe(times[0])
    const blocks = [user('a', { [field]: time }), assistant([{ type: 'thinking', thinking: 'x' }])]
    expect(detectFormat(JSON.stringify(blocks))).toBe('anthropic')
    const [first] = await messagesOf(JSON.stringify(blocks))
    expect(first?.message.createdAt).toBe(times[0])
  })

  it('reports broken and unknown lines, and skips them', async () => {
    const text = `{"role":"user"\n${jsonLines(user('a'), { role: 'walrus', content: 'x' }, [7])}{"role":usr}\n${jsonLines(user('b'))}`
    expect(await goldenOf(text, { name: 'talk' })).toBe(`
problem 1: the text ends inside the document
conversation talk
talk line:2 user: a
problem 3: the record holds no message of a known role
problem 4: the record is not a JSON object
problem 5: the record is not valid JSON
talk line:6 user: b
`)
  })

  it('may span several lines, as documents or as a list', async () => {
    const messages = [user('a'), assistant('b')]
    const spread = messages.map((message) => JSON.stringify(message, null, 2)).join('\n')
    expect(await goldenOf(spread, { name: 'talk' })).toBe(`
conversation talk
talk line:1 user: a
talk line:5 assistant: b
`)
    expect(await goldenOf(JSON.stringify(messages, null, 2), { name: 'talk' })).toBe(`
conversation talk
talk [0] user: a
talk [1] assistant: b
`)
  })

  it('reads consecutive lists as separate conversations', async () => {
    const list = JSON.stringify([user('a')])
    expect(await goldenOf(`${list}\n${list}\n`, { name: 'talk', format: 'messages' })).toBe(`
conversation talk
talk [0] user: a
conversation talk#2
talk#2 [0] user: a
`)
  })

  it('accepts any number of conversations', async () => {
    const records = Array.from({ length: 20_000 }, (_, index) =>
      user('a', { session_id: `s${index % 10_000}` }),
    )
    const heads = await storeItems(await itemsOf(jsonLines(...records)))
    expect(heads.size).toBe(10_000)
    expect(new Set(heads.values())).toEqual(new Set([2]))
  })
})

describe('detection of one message per line', () => {
  it('needs a known role and content', () => {
    expect(detectFormat('{"role":"user","content":"hi"}')).toBe('messages')
    expect(detectFormat('{"role":"assistant","tool_calls":[]}')).toBe('messages')
    expect(detectFormat('{"role":"user"}')).toBeNull()
    expect(detectFormat('{"role":"clerk","content":"hi"}')).toBeNull()
    expect(detectFormat('{"content":"\\"role\\":\\"user\\""}')).toBeNull()
    expect(detectFormat(jsonLines({ started: 1 }, user('a')))).toBe('messages')
    expect(detectFormat(`{"role":"us\n${jsonLines(user('a'))}`)).toBe('messages')
    expect(detectFormat(JSON.stringify(user('long '.repeat(50_000))))).toBe('messages')
  })

  it('yields to every other format', () => {
    const pastedChat = `User: what is this?\n${jsonLines(user('a'))}Assistant: A line.\n`
    expect(detectFormat(pastedChat)).toBe('text')
    const ui = { role: 'user', parts: [] }
    expect(detectFormat(jsonLines(user('a'), ui))).toBe('ai-sdk')
    expect(detectFormat(jsonLines(user('a'), { messages: [user('a')] }))).toBe('openai')
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }
    expect(detectFormat(jsonLines({ type: 'message', ...user('a') }, item))).toBe('codex')
    const stored = { seq: 0, role: 'user', content: [], createdAt: 5, key: 'k' }
    expect(detectFormat(jsonLines(stored, stored))).toBeNull()
    expect(detectFormat(JSON.stringify([user('a')]))).toBe('openai')
  })

  it('does not mistake a session id for a session of another tool', () => {
    const line = { type: 'message', ...user('a'), sessionId: 's', uuid: 'u' }
    expect(detectFormat(jsonLines(line, line))).toBe('messages')
  })
})
