import { describe, expect, it } from 'vitest'
import type { Context, ToolSchema } from '../domain/context.ts'
import type { MessageInput } from '../domain/message.ts'
import { isThroughlineError } from '../errors.ts'
import { build } from '../testing/build.ts'
import { drawContext } from '../testing/draw-context.test-support.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'
import type { ConversationHandle } from './handle.ts'
import { recallToolSchemas } from './recall-tool.ts'

const model = 'small'
const tools = recallToolSchemas()
/** Foreign tools of the same size as ours. */
const foreign: readonly ToolSchema[] = tools.map((tool) => ({
  ...tool,
  description: tool.description?.replace(/\.$/, '!'),
}))

function begin(contextWindowTokens = 4_096, options = {}): ConversationHandle {
  const models = [{ id: model, contextWindowTokens, tokenizer: 'o200k_base' }] as const
  return createThroughline({ models, clock: fakeClock(), ...options }).conversation('c')
}

function work(turns: number): readonly MessageInput[] {
  let messages = build()
  for (let turn = 0; turn < turns; turn += 1)
    messages = messages
      .user(`Look at file ${turn}.`)
      .calls('read', { path: `src/${turn}.ts` })
      .result(`const value = ${turn}\n`.repeat(60))
      .says(`File ${turn} is fine.`)
  return messages.messages
}

const both = 'Search everything left out with `recall`. Open an anchor such as #12 with `expand`.]'
const textsOf = ({ messages }: Context) =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))

describe('the note about the recall tools', () => {
  it('follows the history block where the tools are offered', async () => {
    const chat = begin()
    await chat.append(work(16))
    const context = await chat.context({ model, tools })
    const at = textsOf(context).findIndex((text) => text.endsWith(both))
    expect(context.messages[at]).toMatchObject({ role: 'user', slot: 'earlier', seq: null })
    expect(context.messages[at - 1]?.slot).toBe('files')
    expect(context.messages[at + 1]?.seq).not.toBeNull()
    expect(context.sections).toContainEqual(expect.objectContaining({ kind: 'earlier' }))
    expect(context.tokens).toBeLessThanOrEqual(context.available)
  })

  it('names the offered tools, and only one where there is one', async () => {
    const [recall, expand] = recallToolSchemas({ names: { recall: 'find`\n', expand: 'open' } })
    const noteFor = async (...offered: readonly (ToolSchema | undefined)[]) => {
      const chat = begin()
      await chat.append(work(16))
      const given = offered.filter((tool) => tool !== undefined)
      const context = await chat.context({ model, tools: given })
      return context.messages.flatMap(({ slot, seq }, at) =>
        slot === 'earlier' && seq === null ? [textsOf(context)[at]] : [],
      )
    }
    expect(await noteFor(recall, expand)).toEqual([
      '[Messages #0 to #55 are left out. Search everything left out with `find  `. Open an anchor such as #12 with `open`.]',
    ])
    expect(await noteFor(recall)).toEqual([
      '[Messages #0 to #55 are left out. Search everything left out with `find  `.]',
    ])
    expect(await noteFor(expand)).toEqual([
      '[Messages #0 to #55 are left out. Open an anchor such as #12 with `open`.]',
    ])
  })

  it('is absent where everything is shown', async () => {
    const chat = begin()
    await chat.append(build().user('Hello').says('Hi!').user('Who are you?').messages)
    expect(drawContext(await chat.context({ model, tools }))).not.toContain('`recall`')
  })

  it('is absent for foreign tools of the same names: the context is the same as without them', async () => {
    const [named, other] = [begin(2_048), begin(2_048)]
    for (const chat of [named, other]) await chat.append(work(8))
    const others = foreign.map((tool, at) => ({ ...tool, name: ['search', 'reveal'][at] ?? '' }))
    const [one, two] = [
      await named.context({ model, tools: foreign }),
      await other.context({ model, tools: others }),
    ]
    expect(JSON.stringify(one.messages)).toBe(JSON.stringify(two.messages))
    expect(textsOf(one).join('\n')).not.toContain('can be searched')
  })

  it('stays the same for an epoch, and changed tools are a named cause of a lost prefix', async () => {
    const chat = begin()
    await chat.append(work(16))
    const first = await chat.context({ model })
    expect(textsOf(first).join()).not.toContain(both)
    const offered = await chat.context({ model, tools })
    expect(offered).toMatchObject({ epoch: first.epoch, brokenBy: 'tools-changed' })
    expect(textsOf(offered).join()).toContain(both)
    for (let turn = 0; turn < 3; turn += 1) {
      await chat.append([
        { role: 'assistant', content: 'Good.' },
        { role: 'user', content: 'And then?' },
      ])
      const more = await chat.context({ model, tools })
      expect(more).toMatchObject({ epoch: first.epoch, brokenBy: null })
      expect(JSON.stringify(more.messages).slice(0, 4_000)).toBe(
        JSON.stringify(offered.messages).slice(0, 4_000),
      )
    }
  })

  it('is present where there are only stubs', async () => {
    const chat = begin()
    await chat.append(build().user('A word. '.repeat(2_000)).messages)
    const context = await chat.context({ model, tools })
    expect(context.omitted.map(({ why }) => why)).toEqual(['stubbed'])
    expect(textsOf(context).join()).toContain(both)
  })

  it('has the role that notes have in a policy', async () => {
    const chat = begin(2_048, { policy: 'ratio-chain' })
    await chat.append(work(12))
    const { messages, system } = await chat.context({ model, tools })
    const roles = messages.flatMap(({ role }, at) =>
      textsOf({ messages } as Context)[at]?.endsWith(both) === true ? [role] : [],
    )
    expect([roles, system]).toEqual([['system'], []])
  })

  it('takes room from no request that would fit without it', async () => {
    const outcomes: string[] = []
    for (let window = 300; window <= 900; window += 30) {
      const [ours, theirs] = await Promise.all(
        [tools, foreign].map(async (given) => {
          const chat = begin(window)
          await chat.append([...work(4), { role: 'user', content: 'And now?' }])
          return chat.context({ model, tools: given }).then(
            (context) => (context.tokens <= context.available ? 'fits' : 'too large'),
            (error: unknown) => (isThroughlineError(error) ? error.code : 'failed'),
          )
        }),
      )
      expect([window, ours]).toEqual([window, theirs])
      outcomes.push(ours ?? '')
    }
    expect(new Set(outcomes)).toEqual(new Set(['CONTEXT_OVERFLOW', 'fits']))
  })
})
