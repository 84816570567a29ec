import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { codeOf, targets } from './targets.ts'

it.each(targets)(
  'remembers the turns of an agent, with entities and steps, $name',
  async ({ open, turns }) => {
    const { afterReply, rememberedTurns, stepResult, turnMemory } = turns
    const folder = mkdtempSync(join(tmpdir(), 'throughline-turns-'))
    const { tl, close } = await open(folder)
    onTestFinished(async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    })
    const chat = tl.conversation('turns')
    expect(await turnMemory(chat)).toMatchObject({ turn: 0, entities: [], steps: [], theme: null })
    expect([await rememberedTurns(chat), await stepResult(chat, { turn: 1, step: 0 })]).toEqual([
      [],
      null,
    ])
    const reply = {
      userMessage: 'Read the menu.',
      finalResponse: 'The menu has soup.',
      steps: [{ description: 'read the menu', result: { dishes: ['soup'], n: 47_113 } }],
      entities: [{ id: 'r-1', type: 'recipe', label: 'Soup', source: 'db_read' }],
    } as const
    const first = await afterReply(chat, reply, { key: 'turn-1' })
    expect(first).toMatchObject({ changed: true, record: { turn: 1, key: 'turn-1' }, calls: 0 })
    expect(await afterReply(chat, reply, { key: 'turn-1' })).toMatchObject({
      ...{ changed: false, why: 'repeated', record: { turn: 1 } },
    })
    expect(await afterReply(chat, { ...reply, finalResponse: '' })).toMatchObject({
      ...{ changed: false, why: 'no-response', record: null },
    })
    const later = { userMessage: 'And the invoice?', finalResponse: 'It is paid.' }
    await afterReply(chat, later, { key: 'turn-2' })
    const memory = await turnMemory(chat)
    expect(memory.entities).toMatchObject([{ id: 'r-1', label: 'Soup', state: 'active' }])
    expect(memory.recentTurns.map(({ user }) => user)).toEqual([
      'Read the menu.',
      'And the invoice?',
    ])
    const numbers = async (query: object) =>
      (await rememberedTurns(chat, query)).map((record) => record.turn)
    expect([await numbers({}), await numbers({ limit: 1 }), await numbers({ before: 2 })]).toEqual([
      [2, 1],
      [2],
      [1],
    ])
    expect((await stepResult(chat, { turn: 1, step: 0 }))?.result).toEqual({
      ...{ dishes: ['soup'], n: 47_113 },
    })
    expect(await codeOf(() => afterReply(chat, { ...later, finalRespons: '' } as never))).toBe(
      'TURN_INVALID',
    )
    expect(await codeOf(() => afterReply(chat, later, { keyy: 'x' } as never))).toBe(
      'CONFIG_INVALID',
    )
    expect(await codeOf(() => turnMemory({} as never))).toBe('CONFIG_INVALID')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(afterReply(chat, later, { signal })).rejects.toThrow('enough')
  },
)
