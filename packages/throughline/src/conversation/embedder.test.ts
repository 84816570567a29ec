import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../domain/event.ts'
import { fit } from '../fit/fit.ts'
import { embedder } from '../models/embedder.ts'
import type { Embedder } from '../ports/embedder.ts'
import { createThroughline } from '../throughline.ts'
import {
  bytesOf,
  longTalk,
  model,
  models,
  question,
  recalledIn,
  says,
  talkedLong,
  zeppelin,
} from './recalled.test-support.ts'

/** Two messages have a word of the query; only one has its meaning. */
const money = 'The bank raised its interest, so the loan costs more.'
const river = 'We rested on the bank and watched the boats go by.'
const talk = longTalk({ 20: money, 80: river })
const query = 'the bank of the water'

/** Knows two meanings: money, and water. */
const meaningOf = (text: string): readonly number[] => [
  /loan|interest/.test(text) ? 1 : 0.1,
  /boats|water/.test(text) ? 1 : 0.1,
]

function countingEmbedder() {
  const sent: string[][] = []
  const byMeaning = embedder(async (texts) => {
    sent.push([...texts])
    return texts.map(meaningOf)
  })
  return { sent, byMeaning }
}

async function searched(options: { readonly embedder?: Embedder } = {}, words = query) {
  const { tl, chat } = await talkedLong(options, talk)
  const events: LiveEvent[] = []
  tl.on((event) => events.push(event))
  const { pieces } = await chat.recall(words)
  await tl.settled()
  return { pieces, events, chat }
}

/** Ways to fail; the question is always one of the texts. */
const broken: Readonly<Record<string, Embedder['embed']>> = {
  hangs: () => new Promise(() => {}),
  'throws at once': () => {
    throw new Error('no route to https://ada:hunter2-horse@example.com')
  },
  rejects: async () => Promise.reject(new Error('quota')),
  'rejects without an error': async () => Promise.reject(null),
  'returns nothing': async () => undefined as never,
  'returns too few vectors': async (texts) => texts.slice(1).map(() => [1, 0]),
  'returns too many vectors': async (texts) => [[1, 0], ...texts.map(() => [1, 0])],
  'returns vectors of different lengths': async (texts) =>
    texts.map((_, index) => Array.from({ length: 2 + (index % 2) }, () => 1)),
  'returns NaN': async (texts) => texts.map(() => [Number.NaN, 1]),
  'returns infinite numbers': async (texts) => texts.map(() => [Number.POSITIVE_INFINITY, 1]),
  'returns empty vectors': async (texts) => texts.map(() => []),
  'returns vectors of zeros': async (texts) => texts.map(() => [0, 0]),
  'returns no vectors at all': async (texts) => texts.map(() => null as never),
}

describe('recall with an embedder', () => {
  it('ranks a message with the meaning of the query before others with its words', async () => {
    const { byMeaning } = countingEmbedder()
    const { pieces } = await searched({ embedder: byMeaning })
    expect(pieces[0]?.text).toContain(river)
    const meanings = pieces.map(({ foundBy }) => foundBy.meaning ?? -1)
    expect(meanings[0]).toBe(Math.max(...meanings))
    expect(meanings[0]).toBeCloseTo(1)
  })

  it('sends a text once, only candidates, and no secrets', async () => {
    const { sent, byMeaning } = countingEmbedder()
    const secret = 'password: hunter2-horse-battery'
    const talked = longTalk({ 20: money, 80: `${river} ${secret}` })
    const { chat } = await talkedLong({ embedder: byMeaning }, talked)
    await chat.recall(`${query}, ${secret}`)
    await chat.recall(`${query}, ${secret}`)
    await chat.recall('bank')
    const texts = sent.flat()
    expect(new Set(texts).size).toBe(texts.length)
    expect(sent.at(-1)).toEqual(['bank'])
    expect(texts.join('\n')).not.toContain('hunter2')
    expect(texts.length).toBeLessThanOrEqual(203)
  })

  it('finds the same without words, however near all meanings are', async () => {
    const { byMeaning, sent } = countingEmbedder()
    const { chat } = await talkedLong({ embedder: byMeaning }, talk)
    for (const words of ['', '   ', '😀', 'zeppelins'])
      expect((await chat.recall(words)).pieces).toEqual([])
    expect(sent).toEqual([])
  })

  it('is used for a question in a context, and by fit', async () => {
    const { byMeaning, sent } = countingEmbedder()
    const { chat } = await talkedLong({ embedder: byMeaning })
    const context = await says(chat, question)
    expect(recalledIn(context).join()).toContain(zeppelin)
    expect(context.warnings).toEqual([])
    expect(sent.flat()).toContain(question)
    const other = countingEmbedder()
    const messages = [...longTalk(), { role: 'user', content: question } as const]
    const fitted = await fit({ messages, model, models, embedder: other.byMeaning })
    expect(recalledIn(fitted).join()).toContain(zeppelin)
    expect(other.sent.flat()).toContain(question)
  })
})

describe.each(Object.entries(broken))('an embedder that %s', (_, embed) => {
  const failing = () => ({ embed, timeoutMs: 20 })

  it('leaves the order of words, and reports it', async () => {
    const { pieces, events } = await searched({ embedder: failing() })
    expect(pieces).toEqual((await searched()).pieces)
    expect(events).toMatchObject([
      { kind: 'recall-warning', conversation: 'c', warning: { code: 'EMBEDDER_FAILED' } },
    ])
    expect(JSON.stringify(events)).not.toContain('hunter2')
  })

  it('changes no byte of a context, which has a warning', async () => {
    const plain = await says((await talkedLong()).chat, question)
    const context = await says((await talkedLong({ embedder: failing() })).chat, question)
    expect(recalledIn(context)).not.toEqual([])
    expect(bytesOf(context)).toBe(bytesOf(plain))
    expect(context.warnings).toMatchObject([{ code: 'EMBEDDER_FAILED' }])
    const messages = [...longTalk(), { role: 'user', content: question } as const]
    const fitted = await fit({ messages, model, models, embedder: failing() })
    expect(fitted.warnings).toMatchObject([{ code: 'EMBEDDER_FAILED' }])
  })
})

describe('the option embedder', () => {
  it('is asked once in a request that it fails', async () => {
    let asked = 0
    const failing = embedder(async () => {
      asked += 1
      throw new Error('down')
    })
    await says((await talkedLong({ embedder: failing })).chat, question)
    expect(asked).toBe(1)
  })

  it('is asked again in the next search, also for vectors that did not match', async () => {
    let length = 0
    const growing = embedder(async (texts) => {
      length += 1
      return texts.map(() => Array.from({ length }, () => 1))
    })
    const { chat } = await searched({ embedder: growing })
    const meaningOfBest = async (words: string) =>
      (await chat.recall(words)).pieces[0]?.foundBy.meaning
    expect(await meaningOfBest('bank')).toBe(null)
    expect(await meaningOfBest('bank')).toBeCloseTo(1)
  })

  it('is aborted when it is late', async () => {
    const late = Promise.withResolvers<boolean>()
    const hanging: Embedder['embed'] = (_, { signal }) => {
      signal.addEventListener('abort', () => late.resolve(true))
      return new Promise(() => {})
    }
    await searched({ embedder: embedder(hanging, { timeoutMs: 5 }) })
    expect(await late.promise).toBe(true)
  })

  it('is refused if it cannot embed', async () => {
    const wrong = { embed: 1 } as never
    expect(() => createThroughline({ embedder: wrong })).toThrow('embedder must be an embedder')
    await expect(fit({ messages: [], model, models, embedder: wrong })).rejects.toThrow(
      'embedder must be an embedder',
    )
  })
})
