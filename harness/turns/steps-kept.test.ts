import { createThroughline } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { afterReply, rememberedTurns, stepResult, turnMemory } from 'throughline/turns'
import { afterAll, expect, it } from 'vitest'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const stores = [
  ['in memory', () => memory()],
  ['in SQLite', () => sqlite(folder.file('steps.db'), { durability: 'normal' })],
] as const

it.each(stores)(
  'B0-1 A-009 A-017: the complete result of any step is stored %s',
  async (_, open) => {
    const tl = createThroughline({ store: open(), policy: 'turn-memory' })
    const chat = tl.conversation('kitchen-7')
    const page = 'a long text. '.repeat(2_000)
    for (let turn = 1; turn <= 30; turn += 1)
      await afterReply(chat, {
        userMessage: 'Go on.',
        finalResponse: 'Yes.',
        steps: [0, 1].map((step) => ({ description: 'look', result: { turn, step, page } })),
        entities: [
          {
            ...{ id: `temp_${turn}`, type: 'recipe', label: `Bowl ${turn}`, source: 'generate' },
            data: { page: turn },
          },
        ],
      })
    for (const [turn, step] of [
      [1, 0],
      [1, 1],
      [17, 0],
      [30, 1],
    ] as const)
      expect((await stepResult(chat, { turn, step }))?.result).toEqual({ turn, step, page })
    expect(await stepResult(chat, { turn: 31, step: 0 })).toBeNull()
    expect(await stepResult(chat, { turn: 30, step: 2 })).toBeNull()
    const { steps } = await turnMemory(chat)
    expect(steps.map((each) => `${each.turn}.${each.step}`)).toEqual(['29.1', '30.0', '30.1'])
    // The data of a generated entity is stored with its turn, and no prompt contains it.
    const [first] = await rememberedTurns(chat, { before: 2, limit: 1 })
    expect(first?.knows.entities[0]?.data).toEqual({ page: 1 })
    await tl.close()
  },
)
