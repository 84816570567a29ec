/** The default limits of the design, each at its boundary, through the public API. */
import { createThroughline, type Tokenizer } from 'throughline'
import { type AfterReplyInput, afterReply, type EntityInput, turnMemory } from 'throughline/turns'
import { describe, expect, it } from 'vitest'

const tokenizer: Tokenizer = {
  id: 'quarters',
  exact: true,
  count: (text) => Math.ceil(text.length / 4),
}

function kitchen() {
  const models = [{ id: 'toy/wide', contextWindowTokens: 400_000 }]
  const tl = createThroughline({ policy: 'turn-memory', tokenizer, models })
  const chat = tl.conversation('kitchen-7')
  const turn = async (input: Partial<AfterReplyInput> = {}) => {
    const { memory } = await afterReply(chat, {
      userMessage: 'Go on.',
      finalResponse: 'Yes.',
      router: { goal: 'plan the week', complexity: 'low' },
      think: { decision: 'plan_direct' },
      ...input,
    })
    return memory
  }
  return { chat, turn }
}

const draft: EntityInput = { id: 'temp_1', type: 'recipe', label: 'Rice Bowl', source: 'generate' }
const row: EntityInput = { id: 'r-17', type: 'recipe', label: 'Miso Soup', source: 'db_read' }

describe('the default limits', () => {
  it('S0-066 X0-3: a draft is pending for three turns, inactive for two, then removed', async () => {
    const { turn } = kitchen()
    const states = [(await turn({ entities: [draft] })).entities[0]?.state]
    for (let later = 1; later <= 5; later += 1) states.push((await turn()).entities[0]?.state)
    expect(states).toEqual(['pending', 'pending', 'pending', 'inactive', 'inactive', undefined])
  })

  it('A-004 S0-053: an active entity stays for five turns without a mention', async () => {
    const { turn } = kitchen()
    const states = [(await turn({ entities: [row] })).entities[0]?.state]
    for (let later = 1; later <= 7; later += 1) states.push((await turn()).entities[0]?.state)
    const active = ['active', 'active', 'active', 'active', 'active']
    expect(states).toEqual([...active, 'inactive', 'inactive', undefined])
  })

  it('A-005 S0-053: a mention restarts the count, and restores an inactive entity', async () => {
    const { turn } = kitchen()
    await turn({ entities: [row] })
    for (let later = 1; later <= 4; later += 1) await turn()
    expect((await turn({ userMessage: 'And the miso soup?' })).entities[0]?.state).toBe('active')
    for (let later = 1; later <= 5; later += 1) await turn()
    expect((await turnMemory(kitchen().chat)).entities).toEqual([])
    expect((await turn({ finalResponse: 'See r-17.' })).entities[0]?.state).toBe('active')
  })

  it('S0-042 A-012 X0-10: two steps, planned or done, update the theme; one does not', async () => {
    const { turn } = kitchen()
    const step = { description: 'look' }
    expect((await turn({ steps: [step] })).theme).toBeNull()
    expect((await turn({ steps: [step, step] })).theme?.turn).toBe(2)
    expect((await turn({ think: { decision: 'plan_direct', steps: ['a'] } })).theme?.turn).toBe(2)
    const planned = { decision: 'plan_direct', steps: ['a', 'b'] } as const
    expect((await turn({ think: planned })).theme?.turn).toBe(4)
    expect((await turn({ router: { goal: 'a', complexity: 'medium' } })).theme?.turn).toBe(4)
    expect((await turn({ router: { goal: 'a', complexity: 'high' } })).theme?.turn).toBe(6)
  })

  it('A-007 S0-018: the five most recent of a type are shown, and all are tracked', async () => {
    const { turn } = kitchen()
    for (let id = 1; id <= 3; id += 1) await turn({ entities: [{ ...row, id: `old-${id}` }] })
    const entities = [1, 2, 3, 4].map((id) => ({ ...row, id: `late-${id}` }))
    const { activeEntities, entities: all } = await turn({ entities })
    expect(activeEntities.map(({ id }) => id)).toEqual([...entities.map(({ id }) => id), 'old-3'])
    expect(all).toHaveLength(7)
  })

  it('X0-6 S0-040: the history is folded above 2,000 characters', async () => {
    const { turn } = kitchen()
    const sums: number[] = []
    for (let number = 1; number <= 14; number += 1) {
      const { history } = await turn({
        userMessage: 'Tell me more of it.',
        router: { goal: `goal ${number} ${'of many words '.repeat(12)}`, complexity: 'low' },
        finalResponse: 'That is what there is to be said of it. '.repeat(8),
      })
      sums.push(history.reduce((sum, { text }) => sum + text.length, 0))
      expect(history.at(-1)?.to ?? 1).toBe(Math.max(1, number - 2))
    }
    expect(Math.max(...sums)).toBeLessThanOrEqual(2_000)
    expect(Math.max(...sums)).toBeGreaterThan(1_500)
    expect(sums.some((sum, at) => sum < (sums[at - 1] ?? 0))).toBe(true)
  })

  it('X0-8 S0-056: 2,000 characters of a proposal are kept word for word', async () => {
    const { turn } = kitchen()
    const propose = (proposalMessage: string) =>
      turn({ think: { decision: 'propose', proposalMessage } })
    const whole = 'x'.repeat(2_000)
    expect((await propose(whole)).pending?.proposal).toBe(whole)
    const cut = (await propose(`${whole}y`)).pending?.proposal ?? ''
    expect(cut).toBe(`${'x'.repeat(1_999)}…`)
  })

  it('A-015: the memory has 8,000 tokens for planners and 25,000 for actors', async () => {
    const { chat, turn } = kitchen()
    const entities = Array.from({ length: 1_200 }, (_, id) => ({
      ...{ id: `row-${id}`, type: `type-${id}`, source: 'db_read' as const },
      label: `name ${id} ${'of many words '.repeat(8)}`,
    }))
    await turn({ entities })
    const tokensFor = async (memory: 'condensed' | 'full') => {
      const next = { role: 'user', content: 'And now?' } as const
      const { messages } = await chat.context({ model: 'toy/wide', memory, next })
      const texts = messages.filter(({ slot }) => slot === 'entities').flatMap(({ parts }) => parts)
      return texts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length / 4 : 0), 0)
    }
    // Entities have three tenths of the limit.
    expect(await tokensFor('condensed')).toBeLessThanOrEqual(2_400)
    expect(await tokensFor('condensed')).toBeGreaterThan(2_000)
    expect(await tokensFor('full')).toBeLessThanOrEqual(7_500)
    expect(await tokensFor('full')).toBeGreaterThan(6_800)
  })
})
