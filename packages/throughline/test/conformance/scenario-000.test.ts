/** One long conversation with a kitchen agent on the preset `turn-memory`, as the author of design 000 would try it. */
import { type Context, createThroughline, policies } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import { type AfterReplyInput, afterReply, turnMemory } from 'throughline/turns'
import { describe, expect, it } from 'vitest'

const model = 'kitchen'
const done = 'Done! I saved the recipe Rice Bowl, as you asked.'

/** An answer with exactly so many characters. */
const answerOf = (characters: number) =>
  `${done} ${'It is in the list with the others now. '.repeat(20)}`.slice(0, characters)

const draft = { id: 'temp_1', type: 'recipe', label: 'Miso Soup', source: 'generate' } as const
const saved = (index: number) =>
  ({ id: `r-${index}`, type: 'recipe', label: `Dish Nr${index}`, source: 'db_write' }) as const

const cases = [4_000, 32_000, 200_000].flatMap((contextWindowTokens) =>
  [false, true].map((reportsUsage) => ({ contextWindowTokens, reportsUsage })),
)

describe.each(cases)(
  'twelve turns, window $contextWindowTokens, usage reported: $reportsUsage',
  ({ contextWindowTokens, reportsUsage }) => {
    function open() {
      const summarizer = scriptedModel(({ messages, schema }) => {
        const text = messages.map(({ content }) => content).join('\n')
        const summary = text.includes('theme')
          ? 'The user plans rice bowl meals.'
          : 'The user asked for a recipe, and the assistant saved Rice Bowl.'
        return schema === null ? summary : JSON.stringify({ summary, theme: summary })
      })
      const tl = createThroughline({
        policy: 'turn-memory',
        summarizer,
        models: [{ id: model, contextWindowTokens, tokenizer: 'o200k_base' }],
      })
      const chat = tl.conversation('kitchen')
      const take = async (input: AfterReplyInput) => {
        await chat.append({ role: 'user', content: input.userMessage ?? '' })
        const context = await chat.context({ model })
        const usage = reportsUsage
          ? { usage: { inputTokens: context.tokens }, of: context.fingerprint }
          : {}
        await chat.append({ role: 'assistant', content: input.finalResponse ?? '' }, usage)
        const asked = summarizer.asked.length
        const { record, memory } = await afterReply(chat, input)
        return { context, record, memory, calls: summarizer.asked.length - asked }
      }
      return { chat, take }
    }
    const textOf = ({ messages }: Context) => JSON.stringify(messages)

    it('S0-024 S0-026 S0-063 X0-1: an answer of 400 characters is kept, one of 401 gets a sentence', async () => {
      const { take } = open()
      const short = await take({ userMessage: 'Save it.', finalResponse: answerOf(400) })
      expect(short.memory.recentTurns[0]?.assistantSummary).toBeNull()
      expect(short.calls).toBe(0)
      const long = await take({ userMessage: 'Save it.', finalResponse: answerOf(401) })
      expect(long.memory.recentTurns[1]?.assistantSummary).toContain('saved Rice Bowl')
      expect(long.calls).toBe(1)
    })

    it('S0-027 S0-028 S0-055 S0-056 S0-058 X0-8: a proposal is never reported as done, and is pending until it is decided', async () => {
      const { chat, take } = open()
      const proposed = await take({
        userMessage: 'What about soup?',
        finalResponse: `I could save Miso Soup. ${answerOf(600)}`,
        think: {
          ...{ goal: 'save the soup', decision: 'propose', steps: [] },
          ...{ proposalMessage: 'Save Miso Soup as a draft.', assumptions: ['four people'] },
        },
      })
      expect(proposed.calls).toBe(0)
      const summary = proposed.memory.recentTurns[0]?.assistantSummary ?? ''
      expect(summary).toMatch(/[Pp]ropos/)
      expect(summary).not.toContain('saved Rice Bowl')
      expect((await turnMemory(chat)).pending).toMatchObject({
        ...{ kind: 'propose', goal: 'save the soup', proposal: 'Save Miso Soup as a draft.' },
        assumptions: ['four people'],
      })
      await chat.append({ role: 'user', content: 'Yes.' })
      expect(textOf(await chat.context({ model }))).toContain('Save Miso Soup as a draft.')
      const decided = await take({
        userMessage: 'Yes, do.',
        finalResponse: 'Saved.',
        think: { goal: 'save the soup', decision: 'plan_direct', steps: [] },
      })
      expect(decided.memory.pending).toBeNull()
    })

    it('S0-015 S0-033 S0-034 S0-041 S0-064 S0-065 B0-1: three turns and three steps stay in full, older ones are a line each', async () => {
      const { take } = open()
      for (let turn = 1; turn <= 12; turn += 1) {
        const { memory, context } = await take({
          userMessage: `Please save dish ${turn}.`,
          finalResponse: `Done! I saved Dish Nr${turn}.`,
          steps: [{ description: `save dish ${turn}`, result: { id: `r-${turn}` } }],
          entities: [saved(turn)],
        })
        const from = Math.max(1, turn - 2)
        expect(memory.recentTurns.map((each) => each.turn)).toEqual(
          Array.from({ length: turn - from + 1 }, (_, at) => from + at),
        )
        expect(memory.history.at(-1)?.to ?? 1).toBe(from)
        expect(memory.history[0]?.from ?? 1).toBe(1)
        expect(memory.steps).toHaveLength(Math.min(3, turn))
        expect(memory.steps.at(-1)).toMatchObject({ turn, step: 0, result: { id: `r-${turn}` } })
        // At most five of a type; each unnamed for five turns is inactive.
        expect(memory.activeEntities.length).toBeLessThanOrEqual(5)
        expect(memory.activeEntities[0]?.id).toBe(`r-${turn}`)
        expect(context.tokens).toBeLessThanOrEqual(context.available)
      }
    })

    it('S0-052 S0-053 S0-066 A-004 X0-3: a draft stays pending while turns name it, then three turns, and is gone two later', async () => {
      const { take } = open()
      const states: string[] = []
      const stateAfter = async (
        userMessage: string,
        entities: AfterReplyInput['entities'] = [],
      ) => {
        const { memory } = await take({ userMessage, finalResponse: 'I see.', entities })
        states.push(memory.entities.find(({ id }) => id === 'temp_1')?.state ?? 'gone')
        expect(memory.activeEntities).toEqual([])
      }
      await stateAfter('Make up a soup.', [draft])
      for (let turn = 2; turn <= 7; turn += 1) await stateAfter('More salt in the Miso Soup.')
      for (let turn = 8; turn <= 12; turn += 1) await stateAfter('Something else.')
      expect(states).toEqual([
        ...Array.from({ length: 9 }, () => 'pending'),
        ...['inactive', 'inactive', 'gone'],
      ])
    })

    it('A-004: a saved entity is active for five turns without a mention, inactive for two, then gone', async () => {
      const { take } = open()
      const states: string[] = []
      for (let turn = 1; turn <= 9; turn += 1) {
        const entities = turn === 1 ? [saved(1)] : []
        const { memory } = await take({ userMessage: 'Hm.', finalResponse: 'I see.', entities })
        states.push(memory.entities[0]?.state ?? 'gone')
      }
      expect(states).toEqual([
        ...Array.from({ length: 5 }, () => 'active'),
        ...['inactive', 'inactive', 'gone', 'gone'],
      ])
    })

    it('S0-017 S0-042 S0-045 X0-10 A-012: the theme is reviewed after a significant turn, and is the first block', async () => {
      const { chat, take } = open()
      const plain = { userMessage: 'Hello.', finalResponse: 'Hello.' }
      expect((await take(plain)).memory.theme).toBeNull()
      const step = (index: number) => ({ description: `step ${index}`, result: { index } })
      const routed = (complexity: 'low' | 'high') =>
        ({ agent: 'kitchen', goal: 'plan rice bowls', complexity }) as const
      const single = await take({ ...plain, router: routed('low'), steps: [step(0)] })
      expect(single.memory.theme).toBeNull()
      const multi = await take({ ...plain, router: routed('low'), steps: [step(0), step(1)] })
      expect(multi.memory.theme).toMatchObject({ turn: 3 })
      const high = await take({ ...plain, router: routed('high') })
      expect(high.memory.theme).toMatchObject({ turn: 4 })
      await chat.append({ role: 'user', content: 'And now?' })
      const { messages } = await chat.context({ model })
      expect(messages[0]?.slot).toBe('theme')
      expect(policies['turn-memory'].advanced.slots.slice(0, 2)).toEqual([
        { kind: 'system' },
        { kind: 'theme' },
      ])
    })
  },
)
