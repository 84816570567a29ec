/** The page's messages from the log: what they show, and that the log continues their prompt. */
import {
  convertToModelMessages,
  generateText,
  type ModelMessage,
  type UIMessage,
  validateUIMessages,
  wrapLanguageModel,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createThroughline } from 'throughline'
import { throughlineMiddleware, uiMessages } from 'throughline/ai-sdk'
import { expect, it } from 'vitest'
import { runDoor } from './run-door.ts'
import { uiDoors } from './ui-door.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

it.each(Object.keys(uiDoors))('%s plays turns with parallel calls', async (name) => {
  const report = await runDoor(name, 16)
  expect(report).toMatchObject({ findings: [], refused: 0, requests: 32 })
})

const usage = {
  inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const png = Uint8Array.of(137, 80, 78, 71)
const call = (toolCallId: string, toolName: string, input: object) => ({
  ...{ type: 'tool-call' as const, toolCallId, toolName, input },
})
const result = (toolCallId: string, toolName: string, output: object) => ({
  ...{ type: 'tool-result' as const, toolCallId, toolName, output: output as never },
})
const history: ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look at this.' },
      { type: 'file', data: png, mediaType: 'image/png', filename: 'a.png' },
      { type: 'file', data: new URL('https://example.com/b.png'), mediaType: 'image/png' },
    ],
  },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'I look.',
        providerOptions: { anthropic: { signature: 'sealed' } },
      },
      { type: 'text', text: 'Reading.' },
      call('1', 'read', { path: 'a.ts' }),
      call('2', 'search', { pattern: 'x' }),
      call('3', 'read', { path: 'b.ts' }),
    ],
  },
  {
    role: 'tool',
    content: [
      result('1', 'read', { type: 'text', value: 'const a = 1' }),
      result('2', 'search', { type: 'json', value: { found: [1, 2] } }),
      result('3', 'read', { type: 'error-text', value: 'There is no such file.' }),
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'There are two.' }] },
  { role: 'user', content: 'And now?' },
]

it('shows what the log has, and the log continues their prompt', async () => {
  const engine = createThroughline()
  const content = [{ type: 'text' as const, text: 'Done.' }]
  const finishReason = { unified: 'stop' as const, raw: 'stop' }
  const mock = new MockLanguageModelV4({
    supportedUrls: { 'image/*': [/^https:/] },
    doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
  })
  const options = { engine, conversation: 'a', model: 'gpt-5', changed: 'refuse' } as const
  const model = wrapLanguageModel({ model: mock, middleware: throughlineMiddleware(options) })
  await generateText({ model, messages: history })
  const chat = engine.conversation('a')
  const page: UIMessage[] = await uiMessages(chat)
  await validateUIMessages({ messages: page })
  expect(page.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
    ['user', 'text', 'file', 'file'],
    [
      ...['assistant', 'step-start', 'reasoning', 'text', 'tool-read', 'tool-search', 'tool-read'],
      ...['step-start', 'text'],
    ],
    ['user', 'text'],
    ['assistant', 'step-start', 'text'],
  ])
  expect(page[1]?.parts).toMatchObject([
    {},
    { text: 'I look.', providerMetadata: { anthropic: { signature: 'sealed' } } },
    { text: 'Reading.' },
    { state: 'output-available', input: { path: 'a.ts' }, output: 'const a = 1' },
    { state: 'output-available', output: { found: [1, 2] } },
    { state: 'output-error', errorText: 'There is no such file.' },
    {},
    { text: 'There are two.' },
  ])
  expect(page[0]?.parts[1]).toMatchObject({
    filename: 'a.png',
    url: 'data:image/png;base64,iVBORw==',
  })
  const message: UIMessage = { id: 'n', role: 'user', parts: [{ type: 'text', text: 'More.' }] }
  const messages = await convertToModelMessages([...page, message])
  await generateText({ model, messages })
  expect((await engine.list()).map(({ id }) => id)).toEqual(['a'])
  expect(await uiMessages(chat)).toHaveLength(6)
  // Ids stay, so that a page does not draw everything again.
  expect((await uiMessages(chat)).slice(0, 4).map(({ id }) => id)).toEqual(page.map(({ id }) => id))
})

it('shows calls without results as open, and nothing for no conversation', async () => {
  const chat = createThroughline().conversation('a')
  expect(await uiMessages(chat)).toEqual([])
  await chat.append([
    { role: 'user', content: 'Read.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: '1', name: 'read', input: '{"n":1}' }],
    },
  ])
  expect(await uiMessages(chat)).toMatchObject([
    { role: 'user', parts: [{ type: 'text', text: 'Read.' }] },
    {
      parts: [
        { type: 'step-start' },
        { type: 'tool-read', state: 'input-available', input: { n: 1 } },
      ],
    },
  ])
})
