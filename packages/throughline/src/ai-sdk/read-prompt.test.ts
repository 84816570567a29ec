import { expect, it } from 'vitest'
import { checkRequest } from '../flow/check/check-request.ts'
import { toolSchemasOf, toSdkTools } from './read-prompt.ts'
import { conversationCall } from './write-prompt.ts'

const parameters = { type: 'object', properties: { path: { type: 'string' } } }
const tools = [
  { type: 'function', name: 'look', description: 'Looks.', inputSchema: parameters },
  {
    type: 'function',
    name: 'edit',
    description: undefined,
    inputSchema: parameters,
    inputExamples: [{ input: { path: 'a.ts' } }],
    strict: true,
    providerOptions: { anthropic: { deferLoading: true } },
  },
  { type: 'provider', id: 'openai.web_search', name: 'web_search', args: { size: 'low' } },
]

/** The tool schemas as `context()` checks them. */
function schemasOf(params: Parameters<typeof toolSchemasOf>[0]) {
  return checkRequest({ model: 'gpt-5-mini', tools: toolSchemasOf(params) }).tools
}

it('restores the tools of a call exactly', () => {
  expect(toSdkTools(schemasOf({ tools }))).toEqual(JSON.parse(JSON.stringify(tools)))
})

it('does not continue a call with a response format', () => {
  const responseFormat = { type: 'json', name: 'verdict', schema: parameters }
  const schemas = schemasOf({ tools, responseFormat })
  expect(schemas).toHaveLength(4)
  const context = { system: [], tools: schemas, messages: [], files: new Map(), breakpoints: [] }
  expect(conversationCall()(context, 'openai')).toBeNull()
  expect(conversationCall()({ ...context, tools: [] }, 'openai')).not.toHaveProperty('tools')
})

it('refuses unknown options', () => {
  expect(() => conversationCall({ providerOptions: 'fast' as never })).toThrow(
    /providerOptions must be/,
  )
  expect(() => conversationCall({ tools } as never)).toThrow(/no option "tools"/)
})
