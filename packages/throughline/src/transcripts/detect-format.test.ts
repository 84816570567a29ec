import { describe, expect, it } from 'vitest'
import { detectFormat, detectLayout } from './detect-format.ts'
import { transcriptFormats } from './formats-data.ts'
import { jsonLines, samples } from './samples.test-support.ts'

describe('detectFormat', () => {
  it.each(transcriptFormats)('detects %s by its content', (format) => {
    expect(detectFormat(samples[format])).toBe(format)
  })

  it.each(transcriptFormats)('detects %s after a byte order mark', (format) => {
    expect(detectFormat(`\uFEFF${samples[format]}`)).toBe(format)
  })

  it('detects a truncated document, and one that spans several lines', () => {
    expect(detectFormat(samples.chatgpt.slice(0, 80))).toBe('chatgpt')
    expect(detectFormat(JSON.stringify(JSON.parse(samples.chatgpt), null, 2))).toBe('chatgpt')
    expect(detectFormat(JSON.stringify(JSON.parse(samples.anthropic), null, 2))).toBe('anthropic')
  })

  it('detects JSONL whose first line is broken or has no known key', () => {
    expect(detectFormat(`{"type":"user","mess\n${samples.pi}`)).toBe('pi')
    expect(detectFormat(`<html>\n${samples['claude-code']}`)).toBe('claude-code')
    expect(detectFormat(`{"hello":1}\n${samples['claude-code']}`)).toBe('claude-code')
  })

  it('detects every variant of a format', () => {
    expect(detectFormat('[{"role":"user","content":"hi"}]')).toBe('openai')
    expect(detectFormat('{"model":"m","input":"hi"}')).toBe('openai')
    expect(detectFormat('{"input":"hi"}')).toBeNull()
    expect(detectFormat(jsonLines({ messages: [{ role: 'user', content: 'a' }] }, {}))).toBe(
      'openai',
    )
    const real = { info: { exit_status: 'Submitted', mini_version: '1' }, messages: [] }
    expect(detectFormat(JSON.stringify(real))).toBe('mini-swe')
    const named = { messages: [], trajectory_format: 'mini-swe-agent-1' }
    expect(detectFormat(JSON.stringify(named))).toBe('mini-swe')
    const agent = { isSidechain: true, agentId: 'a', sessionId: 's', type: 'user', message: {} }
    expect(detectFormat(jsonLines(agent))).toBe('claude-code')
  })

  it('detects logged requests with answers, and the provider that they belong to', () => {
    const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' } }]
    const completion = { object: 'chat.completion', choices }
    expect(detectFormat(JSON.stringify(completion))).toBe('openai')
    expect(detectFormat(JSON.stringify({ request, response: completion }))).toBe('openai')
    const picture = [{ type: 'image', note: 'a tool of ours' }]
    const strange = { ...request, messages: [{ role: 'user', content: picture }] }
    expect(detectFormat(JSON.stringify({ request: strange, response: completion }))).toBe('openai')
    const answer = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'yes' }] }
    expect(detectFormat(JSON.stringify({ request, response: answer }))).toBe('anthropic')
    const long = { ...request, messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }
    const head = JSON.stringify({ request: long, response: completion })
    expect(detectFormat(head)).toBe('openai')
    expect(detectFormat(head.replace('"m"', '"claude-x"'))).toBeNull()
    expect(detectFormat('{"choices":[{"delta":{"content":"y"}}]}')).toBeNull()
  })

  it('distinguishes formats with similar keys', () => {
    const user = { role: 'user', content: 'What is a "tool_use"?' }
    expect(detectFormat(JSON.stringify({ messages: [user] }))).toBe('openai')
    const quoted = 'He wrote {"type":"tool_use"} into his file.'
    expect(detectFormat(JSON.stringify([{ role: 'user', content: quoted }]))).toBe('openai')
    const block = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f' }] }
    expect(detectFormat(JSON.stringify({ messages: [user, block] }))).toBe('anthropic')
    const answer = { type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' }
    expect(detectFormat(JSON.stringify(answer))).toBe('anthropic')
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }
    expect(detectFormat(jsonLines(item, item))).toBe('codex')
    expect(detectFormat(jsonLines({ type: 'message', message: { role: 'user' } }))).toBe('pi')
    expect(detectFormat(JSON.stringify({ model: 'm', input: [item] }))).toBe('openai')
    const ui = { id: 'a', role: 'user', content: '', parts: [] }
    expect(detectFormat(JSON.stringify({ id: 'chat', messages: [ui] }))).toBe('ai-sdk')
    expect(detectFormat(jsonLines(ui, ui))).toBe('ai-sdk')
    const [conversation]: unknown[] = JSON.parse(samples.chatgpt)
    expect(detectFormat(JSON.stringify(conversation))).toBe('chatgpt')
  })

  it('returns null for a text with no sign of a format', () => {
    for (const text of ['', 'hello', '{}', '[]', '[1,2]', '{"a":1}', '{"a":[1]}', '{"type":"x"}'])
      expect(detectFormat(text)).toBeNull()
  })
})

describe('detectLayout', () => {
  it('distinguishes JSONL from one document that spans several lines', () => {
    expect(detectLayout('{"a":1}\n{"a":2}\n')).toBe('lines')
    expect(detectLayout('{"a":\n{"a":2}\n')).toBe('lines')
    expect(detectLayout('{"a":1}\n')).toBe('document')
    expect(detectLayout('[\n  {"a":1},\n  {"a":2}\n]')).toBe('document')
    expect(detectLayout('{"messages":[\n{"a":1},\n{"a":2}\n]}')).toBe('document')
    expect(detectLayout('{\n  "a": 1\n}')).toBe('document')
  })
})
