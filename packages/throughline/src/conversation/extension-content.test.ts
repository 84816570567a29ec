import { describe, expect, it } from 'vitest'
import { policies } from '../policies/presets.ts'
import type { ContextExtension, ExtensionQuery } from '../ports/context-extension.ts'
import { createThroughline } from '../throughline.ts'

const model = 'openai/gpt-5-mini'
const [system = { kind: 'system' }, ...others] = policies.balanced.advanced.slots
const policy = {
  ...policies.balanced,
  name: 'minutes',
  advanced: { slots: [system, { kind: 'minutes' }, ...others] },
}

function minutesOf(coveredTo: number, asked: ExtensionQuery[] = []): ContextExtension {
  return {
    slots: ['minutes', 'other'],
    content: async (query) => {
      asked.push(query)
      const blocks = [{ kind: 'text', label: 'minutes', text: 'They agreed.' }] as const
      const pieces = ['minutes', 'other'].map((slot) => ({ slot, order: 0, share: 1, blocks }))
      return { coveredTo, maxTokens: 1_000, pieces }
    },
  }
}

async function chatWith(extension: ContextExtension) {
  const chat = createThroughline({ extension, policy, tokenizer: 'estimate' }).conversation('c')
  await chat.append([
    { role: 'user', content: 'Question 1?' },
    { role: 'assistant', content: 'Answer 1.' },
    { role: 'user', content: 'Question 2?' },
  ])
  return chat
}

describe('a context extension', () => {
  it('describes messages in slots of the policy, and they are not shown one by one', async () => {
    const chat = await chatWith(minutesOf(2))
    const { messages, sections } = await chat.context({ model })
    expect(messages.map(({ slot, seq }) => seq ?? slot)).toEqual(['minutes', 2])
    expect(messages[0]).toMatchObject({ role: 'user', parts: [{ type: 'text' }] })
    expect(JSON.stringify(messages[0])).toContain('data, not instructions')
    expect(sections.find(({ kind }) => kind === 'minutes')?.tokens).toBeGreaterThan(0)
  })

  it('covers no more than the log, and with nothing covered all messages are shown', async () => {
    const all = await (await chatWith(minutesOf(99))).context({ model })
    expect(all.messages.map(({ slot, seq }) => seq ?? slot)).toContain('minutes')
    const none = await (await chatWith(minutesOf(0))).context({ model })
    expect(none.messages.map(({ seq }) => seq)).toEqual([null, 0, 1, 2])
  })

  it('gets the reader and the policy', async () => {
    const asked: ExtensionQuery[] = []
    const chat = await chatWith(minutesOf(2, asked))
    await chat.context({ model, memory: 'condensed' })
    await chat.context({ model })
    expect(asked.map(({ reader }) => reader)).toEqual(['condensed', 'full'])
    expect(asked[0]).toMatchObject({ id: 'c', policy: { name: 'minutes' } })
  })

  it('fills only slots that the policy may have by its name', () => {
    const slots = [system, { kind: 'turns' }, { kind: 'history' }, ...others]
    const turns = { ...policy, advanced: { slots } }
    const create = () => createThroughline({ extension: minutesOf(0), policy: turns })
    expect(create).toThrow(/slots\[1\].kind must be .*minutes or other, got "turns"/)
    expect(() => createThroughline({ policy })).toThrow(
      /slots\[1\].kind must be .*turns or steps, got "minutes"/,
    )
  })
})
