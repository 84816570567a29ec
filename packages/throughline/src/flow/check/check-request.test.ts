import { describe, expect, it } from 'vitest'
import { type ContextInput, checkRequest } from './check-request.ts'

const model = 'house-model'
const check = (given: object) => checkRequest({ model, ...given } as ContextInput)

describe('a request', () => {
  it('needs only a model', () => {
    expect(checkRequest({ model })).toEqual({
      model,
      system: [],
      tools: [],
      next: undefined,
      retrieved: [],
      profile: '',
      memory: null,
      replyTokens: null,
      signal: null,
    })
  })

  it('takes a system prompt as text or as the blocks that an adapter read', () => {
    expect(check({ system: 'Be brief.' }).system).toEqual([
      { type: 'text', text: 'Be brief.', metadata: null },
    ])
    const metadata = { anthropic: { cache_control: { type: 'ephemeral' } } }
    expect(check({ system: [{ type: 'text', text: 'Be brief.', metadata }] }).system).toEqual([
      { type: 'text', text: 'Be brief.', metadata },
    ])
    expect(check({ system: [{ type: 'text', text: 'x' }] }).system[0]?.metadata).toBeNull()
  })

  it.each(['system', 'tools', 'retrieved'] as const)('takes nothing for %s', (field) => {
    for (const value of [undefined, null]) expect(check({ [field]: value })[field]).toEqual([])
  })

  it('takes tools with what is known of them', () => {
    const parameters = { type: 'object', properties: {} }
    const tools = [
      { name: 'read', description: undefined },
      { name: 'write', parameters },
    ]
    const checked = check({ tools }).tools
    expect(checked).toEqual([{ name: 'read' }, { name: 'write', parameters }])
    expect(Object.keys(checked[0] ?? {})).toEqual(['name'])
  })

  it('takes what was found as text or in pieces, and names those without a name', () => {
    expect(check({ retrieved: 'Found.' }).retrieved).toEqual([
      { id: 'retrieved', title: null, text: 'Found.' },
    ])
    const pieces = [{ text: 'a' }, { id: 'doc', title: 'Plan', text: 'b' }, { text: 'c' }]
    expect(check({ retrieved: pieces }).retrieved).toEqual([
      { id: 'retrieved-1', title: null, text: 'a' },
      { id: 'doc', title: 'Plan', text: 'b' },
      { id: 'retrieved-3', title: null, text: 'c' },
    ])
  })

  it('A-015: knows two readers of what is remembered', () => {
    for (const memory of ['condensed', 'full']) expect(check({ memory }).memory).toBe(memory)
    expect(check({ memory: undefined }).memory).toBeNull()
    for (const memory of ['', 'short', true, {}])
      expect(() => check({ memory })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  it('hands the next message on as it came: the log checks it', () => {
    const next = { role: 'nobody' }
    expect(check({ next }).next).toBe(next)
  })

  it('repairs texts with half a character', () => {
    const half = 'a\ud83d'
    const request = check({
      system: half,
      profile: half,
      retrieved: [{ id: half, title: half, text: half }],
      tools: [{ name: 'read', description: half }],
    })
    expect(JSON.stringify(request)).not.toMatch(/\\ud83d/)
    expect(request.profile).toBe('a\ufffd')
  })

  it.each<[string, object, string]>([
    ['a misspelt option', { sytem: 'x' }, 'context has no option "sytem"'],
    ['no model', { model: undefined }, 'model must be the name of a model'],
    ['an empty model', { model: '' }, 'model must be'],
    ['a model that is no name', { model: { id: 'x' } }, 'got an object'],
    ['a system prompt that is a number', { system: 7 }, 'system must be text or text parts'],
    ['a system prompt of texts', { system: ['x'] }, 'system[0] must be a text part'],
    ['a system prompt of nothing', { system: [null] }, 'system[0] must be a text part'],
    ['a block without words', { system: [{ type: 'text' }] }, 'system[0].text must be text'],
    ['tools that are no list', { tools: { read: {} } }, 'tools must be an array'],
    ['a tool without a name', { tools: [{ description: 'x' }] }, 'tools[0].name must be a name'],
    ['a tool that is nothing', { tools: [null] }, 'tools[0].name'],
    ['a description that is none', { tools: [{ name: 'x', description: 7 }] }, 'description'],
    ['findings that are no list', { retrieved: 7 }, 'retrieved must be text or an array'],
    ['a piece without words', { retrieved: [{ id: 'a' }] }, 'retrieved[0].text must be text'],
    ['a piece that is nothing', { retrieved: [null] }, 'retrieved[0].text'],
    ['a piece with a number for a name', { retrieved: [{ id: 7, text: 'x' }] }, 'retrieved[0].id'],
    ['a profile that is no text', { profile: { name: 'Ada' } }, 'profile must be text'],
  ])('is refused with %s', (_, given, why) => {
    expect(() => check(given)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(why) }),
    )
  })

  it('is refused in the name of what was called', () => {
    const refused: readonly (readonly [object, string])[] = [
      [{ model: 7 }, 'model'],
      [{ system: 7 }, 'system'],
      [{ system: [null] }, 'system[0]'],
      [{ tools: {} }, 'tools'],
      [{ tools: [{}] }, 'tools[0].name'],
      [{ retrieved: [{}] }, 'retrieved[0].text'],
      [{ profile: 7 }, 'profile'],
      [{ memory: 7 }, 'memory'],
      [{ replyTokens: 0 }, 'replyTokens'],
      [{ signal: 7 }, 'signal'],
    ]
    for (const [given, field] of refused)
      expect(() => checkRequest({ model, ...given } as ContextInput, 'fit')).toThrow(
        `fit: ${field} must be`,
      )
  })

  it('says where the window is set, where somebody looks for it', () => {
    for (const option of ['window', 'maxTokens', 'contextWindowTokens'])
      expect(() => check({ [option]: 8_192 })).toThrow(
        'The window of a model is set by models: [{ id, contextWindowTokens }]',
      )
    expect(() => check({ sytem: 'x' })).toThrow(/^(?!.*contextWindowTokens)/)
  })

  it('is refused where it is no object', () => {
    for (const input of [null, undefined, 'house-model', []])
      expect(() => checkRequest(input as unknown as ContextInput)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      )
  })

  it('repairs names and schemas of tools', () => {
    const half = 'a\ud83d'
    const parameters = { type: 'object', description: half }
    const { tools } = check({ tools: [{ name: half, parameters }] })
    expect(JSON.stringify(tools)).not.toMatch(/\\ud83d/)
  })

  it('is refused with a schema that is no JSON', () => {
    const parameters = { type: 'object', most: 5n }
    expect(() => check({ tools: [{ name: 'x', parameters }] })).toThrow()
  })

  it('takes null for a profile and for a title', () => {
    expect(check({ profile: null, retrieved: [{ title: null, text: 'x' }] }).profile).toBe('')
  })
})
