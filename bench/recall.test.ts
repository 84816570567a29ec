import { describe, expect, it } from 'vitest'
import type { Context } from '../packages/throughline/src/domain/context.ts'
import type { DatasetItem } from './datasets/dataset-item.ts'
import { askedConversations } from './recall/questions.ts'
import { recallSpeedRows } from './recall/speed.ts'
import { searchedTalk } from './recall/texts.ts'
import { recallRows } from './recall.ts'

const conversationId = 'meeting'
const { texts } = searchedTalk(200, 0)
const rareWords = (text: string) => text.match(/\w{7,}/g) ?? []
const evidence = texts.findIndex((text) => rareWords(text).length > 3)
const asked = rareWords(texts[evidence] ?? '').slice(0, 3)

/** A meeting with a question about a much earlier message. */
async function* meeting(): AsyncIterable<DatasetItem> {
  yield { kind: 'conversation', id: conversationId, title: null, parent: null, meta: null }
  for (const [place, content] of texts.entries()) {
    const message = { role: 'user', content, author: `speaker ${place % 3}` } as const
    yield { kind: 'message', conversationId, message, usage: null, model: null, line: null }
  }
  const span = { from: evidence, to: evidence + 1 }
  yield {
    ...({ kind: 'question', conversationId, question: `What about ${asked.join(' ')}?` } as const),
    ...{ answer: asked.at(-1) ?? null, evidence: [span] },
  }
}

const files = [{ source: 'meetings', name: 'one', items: meeting }]
const sizes = [1_000]

const forgetful = (context: Context): Context => ({
  ...context,
  messages: context.messages.filter(({ slot }) => slot !== 'recalled'),
})

async function shares(delivered?: (context: Context) => Context) {
  const rows = await recallRows(files, sizes, delivered)
  const of = (method: string, unit: string) =>
    rows.find((row) => row.method === method && row.unit === unit)?.value
  return {
    evidence: of('throughline', 'share of the evidence'),
    answers: of('throughline', 'share of answers'),
    tail: of('tail', 'share of the evidence'),
    bm25: of('bm25', 'share of the evidence'),
    tokens: of('throughline', 'tokens'),
  }
}

describe('bench recall', () => {
  it('finds recalled evidence, in a context of the given size', async () => {
    const { tokens, ...found } = await shares()
    expect(found).toEqual({ evidence: 1, answers: 1, tail: 0, bm25: 1 })
    expect(tokens).toBeLessThanOrEqual(1_000)
    expect(tokens).toBeGreaterThan(700)
  })

  it('takes the messages of the day that a question names', async () => {
    async function* bank(): AsyncIterable<DatasetItem> {
      yield { kind: 'conversation', id: ' Ada ', title: null, parent: null, meta: null }
      for (const [day, content] of ['I saw a fox.', 'I saw a heron.', 'I saw a hare.'].entries()) {
        const message = { role: 'user', content, meta: { date: `2023-05-0${day + 1}` } } as const
        const at = { conversationId: ' Ada ', usage: null, model: null, line: null }
        yield { kind: 'message', message, ...at }
      }
    }
    async function* probes(): AsyncIterable<DatasetItem> {
      for (const question of [
        'What was it on May 2nd?',
        '5月3日是什么？',
        'May 1st or May 2nd?',
        'What?',
      ])
        yield { kind: 'question', conversationId: 'Ada', question, answer: null, evidence: [] }
    }
    const asked = await askedConversations([
      { source: 'bank', items: bank },
      { source: 'probes', items: probes },
    ])
    expect(asked.map(({ questions }) => questions.map(({ evidence }) => evidence))).toEqual([
      [[1], [2]],
    ])
  })

  it('is lower for a context without the recalled text', async () => {
    expect(await shares(forgetful)).toMatchObject({ evidence: 0, bm25: 1 })
  })

  it('times a search compared with a bare query', async () => {
    const rows = await recallSpeedRows({ messages: 400, questions: 5, questionsToWarmUp: 1 })
    expect(rows.every(({ value, n, size }) => value > 0 && n > 0 && size === 400)).toBe(true)
    const answered = rows.filter(({ unit }) => unit === 'share of questions answered')
    expect(answered.map(({ value }) => value)).toEqual([1, 1])
    expect(rows.filter(({ unit }) => unit === '× bare FTS5, p95')).toHaveLength(2)
  })
})
