/** What providers compact themselves: their blocks come back to them unchanged, and others get the originals. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { createThroughline, type JsonObject } from 'throughline'
import {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'
import { withThroughline } from 'throughline/clients'
import { expect, it } from 'vitest'
import { modelName, windowTokens } from './script.ts'

const engineFor = () =>
  createThroughline({
    models: [{ id: modelName, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })

/** A provider that answers with the next of some bodies, and keeps what it was sent. */
function provider(answers: readonly string[], type: string) {
  const sent: JsonObject[] = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(JSON.parse(`${init?.body}`))
    const body = answers[Math.min(sent.length, answers.length) - 1]
    return new Response(body, { headers: { 'content-type': type } })
  }
  return { sent, fetch }
}

const sse = (events: readonly JsonObject[]) =>
  events.map((event) => `event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`).join('')
// No figure: a false one would calibrate the counts.
const usage = { input_tokens: 0, output_tokens: 1 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage }
const block = { type: 'compaction', content: 'They chose port 6432.', encrypted_content: 'sealed' }
const streamed = (...content: readonly JsonObject[]) =>
  sse([
    { type: 'message_start', message },
    ...content.flatMap((part, index): readonly JsonObject[] => {
      const { type = '', ...delta } = part
      return [
        { type: 'content_block_start', index, content_block: { type, ...empty[`${type}`] } },
        { type: 'content_block_delta', index, delta: { type: `${type}_delta`, ...delta } },
        { type: 'content_block_stop', index },
      ]
    }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ])
const empty: Readonly<Record<string, JsonObject>> = {
  text: { text: '' },
  compaction: { content: null, encrypted_content: null },
}
const long = (turn: number) => `Question ${turn} about table_${turn}: ${'why and how '.repeat(150)}`

it('Anthropic gets its block back unchanged, beside our own summary; OpenAI gets the originals', async () => {
  const engine = engineFor()
  const text = { type: 'text', text: 'Fine.' }
  const { sent, fetch } = provider([streamed(block, text), streamed(text)], 'text/event-stream')
  const base = new Anthropic({ apiKey: 'k', baseURL: 'http://anthropic.test', fetch })
  const client = withThroughline(base, { engine, conversation: 'a', history: 'recent' })
  const ask = (content: string) =>
    client.beta.messages
      .stream({ model: modelName, max_tokens: 500, messages: [{ role: 'user', content }] })
      .finalMessage()
  expect((await ask('Which port did we choose first?')).content[0]).toMatchObject(block)
  for (let turn = 1; turn < 50; turn += 1) await ask(long(turn))
  const blocksIn = (body: JsonObject) =>
    JSON.stringify(body).match(/\{"type":"compaction".*?\}/g) ?? []
  expect(blocksIn(sent[1] ?? {})).toEqual([JSON.stringify(block)])
  for (const body of sent) {
    expect(anthropicMessages.problems(body)).toEqual([])
    // Shown whole, or compacted with its message; never changed.
    for (const shown of blocksIn(body)) expect(shown).toBe(JSON.stringify(block))
  }
  const chat = engine.conversation('a')
  expect((await chat.receipts()).length).toBeGreaterThan(0)
  const context = await chat.context({ model: 'gpt-5' })
  for (const adapter of [openaiResponses, openaiChat, geminiContents]) {
    const written = JSON.stringify(adapter.write(context))
    expect(written).not.toContain('sealed')
    expect(written).toContain('Which port did we choose first?')
  }
  expect(JSON.stringify(anthropicMessages.write(context))).toContain(JSON.stringify(block))
})

it('OpenAI gets its item back unchanged; Anthropic gets the originals', async () => {
  const engine = engineFor()
  const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAsealed' }
  const reply = (id: string) => ({
    ...{ type: 'message', id, role: 'assistant', status: 'completed' },
    content: [{ type: 'output_text', text: 'Fine.', annotations: [] }],
  })
  const answer = (...output: readonly JsonObject[]) =>
    JSON.stringify({ id: 'resp_1', object: 'response', status: 'completed', output, usage })
  const answers = [answer(item, reply('msg_1')), answer(reply('msg_2'))]
  const { sent, fetch } = provider(answers, 'application/json')
  const base = new OpenAI({ apiKey: 'k', baseURL: 'http://openai.test/v1', fetch })
  const client = withThroughline(base, { engine, conversation: 'a', history: 'recent' })
  const ask = (input: string) => client.responses.create({ model: modelName, input, store: false })
  await ask('Which port did we choose first?')
  await ask('And then?')
  expect(sent[1]).toMatchObject({ input: [{ role: 'user' }, item, {}, { role: 'user' }] })
  for (const body of sent) expect(openaiResponses.problems(body)).toEqual([])
  const context = await engine.conversation('a').context({ model: 'claude-sonnet-5-5' })
  const written = JSON.stringify(anthropicMessages.write(context))
  expect(written).not.toContain('sealed')
  expect(written).toContain('Which port did we choose first?')
})
