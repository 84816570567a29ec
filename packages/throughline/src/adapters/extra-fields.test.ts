import { describe, expect, it } from 'vitest'
import { buildDeliverable } from '../calls/read-messages.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropicMessages, geminiContents, openaiChat, openaiResponses } from './http-adapters.ts'

const schema = { type: 'object', properties: {} }
const messages = [{ role: 'user', content: 'Hello' }]

/** One function, and tools that the service runs itself. */
const readings: Readonly<Record<string, Reading>> = {
  'openai-responses': openaiResponses.read({
    input: 'Hello',
    tools: [
      { type: 'function', name: 'lookup', parameters: schema },
      { type: 'web_search', filters: null },
      { type: 'mcp', server_label: 'a', server_url: 'https://a.test' },
    ],
  }),
  'anthropic-messages': anthropicMessages.read({
    messages,
    tools: [
      { name: 'lookup', input_schema: schema },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'mcp_toolset', mcp_server_name: 'a' },
    ],
  }),
  'gemini-contents': geminiContents.read({
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    tools: [
      { functionDeclarations: [{ name: 'lookup', parametersJsonSchema: schema }] },
      { googleSearch: {}, urlContext: {} },
    ],
  }),
}

const targets = [openaiChat, openaiResponses, anthropicMessages, geminiContents, aiSdk]

describe.each(Object.entries(readings))('tools that the service of %s runs', (from, reading) => {
  it.each(targets)('are written only as their own format: $format', ({ format, write }) => {
    const request: object = write(buildDeliverable(reading, sha256))
    const written = JSON.stringify('tools' in request ? request.tools : [])
    const runs = /web_search|mcp|googleSearch|urlContext/.test(written)
    expect({ runs, lookup: written.includes('lookup') }).toEqual({
      runs: format === from,
      lookup: format !== 'ai-sdk',
    })
  })
})
