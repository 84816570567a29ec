import { describe, expect, it } from 'vitest'
import { claudeSession, madeFile } from '../survival.test-support.ts'
import { baselines } from './baselines.ts'
import { type Cut, madeCuts, realCuts, studied } from './cuts.ts'
import { type History, readHistories } from './history.ts'
import { survivalOf } from './study.ts'

const sessions = [
  claudeSession({ seed: 'one', steps: 140, compactedBefore: 90 }),
  claudeSession({ seed: 'two', steps: 80, compactedBefore: null }),
]

async function historiesOf(...texts: readonly string[]): Promise<readonly History[]> {
  const read = texts.map((text) => readHistories(madeFile('made.jsonl', text).items()))
  return (await Promise.all(read)).flat()
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('cuts in Claude Code’s records', () => {
  it('are at a real compaction, with the summary between both sides and in neither', async () => {
    const [history] = await historiesOf(...sessions)
    const [cut] = history === undefined ? [] : realCuts(history)
    expect(cut?.summary).toMatch(/^The session so far/)
    expect(cut?.text).not.toContain('The session so far')
    expect(cut?.after.map(({ text }) => text).join()).not.toContain('The session so far')
    expect(cut?.before.length).toBe(history?.compactions[0]?.at)
  })

  it('start the second part with the summary of the first', async () => {
    const [text = ''] = sessions
    const summary = text.split('\n').find((line) => line.includes('isCompactSummary')) ?? ''
    const lines = text.trimEnd().split('\n')
    const twice = [...lines.slice(0, -40), summary, ...lines.slice(-40), ''].join('\n')
    const [history] = await historiesOf(twice)
    const [first, second] = history === undefined ? [] : realCuts(history)
    expect(second?.before[0]?.text).toMatch(/^The session so far/)
    expect(first?.after.length).toBe((second?.before.length ?? 0) - 1)
  })

  it('need enough messages on both sides', async () => {
    const lines = (sessions[0] ?? '').trimEnd().split('\n')
    const at = lines.findIndex((line) => line.includes('isCompactSummary'))
    const count = async (from: number, to: number) => {
      const [history] = await historiesOf(lines.slice(from, to).join('\n'))
      return history === undefined ? null : realCuts(history).length
    }
    expect(await count(at - 20, lines.length)).toBe(1)
    expect(await count(at - 19, lines.length)).toBe(0)
    expect(await count(0, at + 10)).toBe(0)
  })

  it('are at three positions before the first compaction, 60 records long', async () => {
    const [history] = await historiesOf(...sessions)
    const end = history?.compactions[0]?.at ?? 0
    const cuts = history === undefined ? [] : madeCuts(history)
    expect(cuts.map(({ before }) => before.length)).toEqual(
      [0.4, 0.55, 0.7].map((share) => Math.floor(end * share)),
    )
    expect(cuts.map(({ after }) => after.length)).toEqual([60, 60, 60])
  })

  it('need 30 records on both sides of such a position', async () => {
    const lines = (sessions[1] ?? '').trimEnd().split('\n')
    const count = async (records: number) => {
      const [history] = await historiesOf(lines.slice(0, records).join('\n'))
      return history === undefined ? null : madeCuts(history).length
    }
    expect(await count(97)).toBe(3)
    // 29 records follow the last position.
    expect(await count(96)).toBe(2)
    expect(await count(75)).toBe(2)
    // 29 records precede the first position.
    expect(await count(74)).toBe(1)
  })

  it('ignore the work of agents that the session started', async () => {
    const aside = (sessions[1] ?? '').replaceAll(
      '"type":"user"',
      '"isSidechain":true,"type":"user"',
    )
    const all = aside.replaceAll('"type":"assistant"', '"isSidechain":true,"type":"assistant"')
    expect(await historiesOf(all)).toEqual([])
  })

  it('give the same figures as the Python definition for the same sessions', async () => {
    const histories = await historiesOf(...sessions)
    const scores = (cuts: readonly Cut[], method: keyof typeof baselines, size: number | null) =>
      mean(
        cuts.flatMap((cut) => {
          const of = studied(cut)
          const characters = size ?? cut.summary?.length ?? 0
          return of === null
            ? []
            : [survivalOf(of.study, baselines[method](of.text, of.study, characters))]
        }),
      )
    const real = histories.flatMap(realCuts)
    const made = histories.flatMap(madeCuts)
    expect([real.length, made.length]).toEqual([1, 6])
    expect(scores(real, 'tail', null)).toBeCloseTo(0.056, 2)
    expect(scores(real, 'list', null)).toBeCloseTo(0.361, 2)
    expect(scores(real, 'tail+list', null)).toBeCloseTo(0.111, 2)
    expect(scores(made, 'tail', 6_000)).toBeCloseTo(0.365, 2)
    expect(scores(made, 'tail+list', 6_000)).toBeCloseTo(0.824, 2)
    expect(scores(made, 'tail', 15_000)).toBeCloseTo(0.752, 2)
    const claude = real.flatMap((cut) => {
      const of = studied(cut)
      return of === null ? [] : [survivalOf(of.study, cut.summary ?? '')]
    })
    expect(mean(claude)).toBeCloseTo(0.333, 2)
  })
})

describe('a cut in any other history', () => {
  const request = (characters: number) => {
    const messages = Array.from({ length: 10 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `m${at} ${'word '.repeat(characters / 5)}`,
    }))
    return JSON.stringify({
      model: 'gpt-4o',
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
    })
  }

  it('is in the middle of the messages, after the system prompt', async () => {
    const [history] = await historiesOf(request(1_000))
    const [cut, ...others] = history === undefined ? [] : madeCuts(history)
    expect(others).toEqual([])
    expect(cut?.before.map(({ text }) => text.slice(0, 2))).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
    expect(cut?.after).toHaveLength(5)
    expect(history?.system).toBe('Be brief.')
  })

  it('does not exist if the messages before it fit', async () => {
    const [history] = await historiesOf(request(600))
    expect(history && madeCuts(history)).toEqual([])
  })
})
