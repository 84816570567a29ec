import { memory } from 'throughline/stores/memory'
import { afterReply, turnMemory } from 'throughline/turns'
import { describe, expect, it } from 'vitest'
import { agentChat, model, talkAbout, textIn } from './remembering.test-support.ts'

const turns = 14

/** Remembers turns with one limit of full turns, and reads them with another. */
async function talked(then: number, now: number) {
  const store = memory()
  await talkAbout(agentChat(store, { fullTurns: then }), 1, turns + 1)
  return agentChat(store, { fullTurns: now })
}

describe('a memory that was written under other rules', () => {
  it.each([
    [10, 1],
    [1, 10],
  ])('S0-016 S0-064: describes every turn once: %i full turns then, %i now', async (then, now) => {
    const chat = await talked(then, now)
    const { history, recentTurns } = await turnMemory(chat)
    expect(history.map(({ from, to }) => [from, to])).toEqual(
      [1, 2, 3, 4].map((turn) => [turn, turn + 1]),
    )
    expect(recentTurns.map(({ turn }) => turn)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    for (const reader of ['condensed', 'full'] as const) {
      const context = await chat.context({ model, memory: reader })
      const texts = `${textIn(context, 'history')}\n${textIn(context, 'turns')}`
      for (let turn = 1; turn <= turns; turn += 1)
        expect(texts.match(new RegExp(`Soup ${turn} is good`, 'g'))).toHaveLength(1)
    }
  })

  it('S0-016: follows the new rules from the next turn on', async () => {
    const chat = await talked(10, 1)
    const turn = { userMessage: 'And now?', finalResponse: 'Soup 15 is good.' }
    const { memory: known } = await afterReply(chat, turn)
    expect(known.history.map(({ from, to }) => [from, to]).at(-1)?.[1]).toBe(15)
    expect(known.recentTurns.map((each) => each.turn)).toEqual([15])
  })
})
