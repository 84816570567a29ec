import { expect, it } from 'vitest'
import type { PieceKey } from '../domain/search-index.ts'
import { embedder } from '../models/embedder.ts'
import type { IndexCommand, PieceVectors, Store } from '../ports/store.ts'
import { pieceKey } from '../stores/index.ts'
import { memory } from '../stores/memory.ts'
import { longTalk, talkedLong } from './recalled.test-support.ts'

const bill = 'Nine plumbers came, and the bill is ninety euros.'
/** None of its words is in a message. */
const query = 'expenditure'

/** The memory store, with the vectors of one conversation beside it. */
function storeWithVectors() {
  const inner = memory()
  const kept = new Map<PieceKey, ArrayLike<number>>()
  const keys: PieceKey[] = []
  const product = (one: ArrayLike<number>, other: ArrayLike<number>) =>
    Array.from(one).reduce((sum, each, index) => sum + each * (other[index] ?? 0), 0)
  const vectors: PieceVectors = {
    nearest: async ({ vector, before, limit }) => {
      const asked = keys.filter((key) => key < pieceKey(before, 0))
      const pieces = asked.flatMap((key) => {
        const known = kept.get(key)
        return known === undefined ? [] : { key, similarity: product(known, vector) }
      })
      pieces.sort((left, right) => right.similarity - left.similarity)
      const missing = asked.filter((key) => !kept.has(key)).reverse()
      return { pieces: pieces.slice(0, limit), missing: missing.slice(0, 30), rewrites: 0 }
    },
    put: async (command) => {
      for (const { key, vector } of command.vectors) kept.set(key, vector)
    },
  }
  const store: Store = {
    close: () => inner.close(),
    tenant: (id) => {
      const tenant = inner.tenant(id)
      const index = async (command: IndexCommand) => {
        keys.push(...command.pieces.map(({ seq, part }) => pieceKey(seq, part)))
        return tenant.index(command)
      }
      return { ...tenant, index, vectors }
    },
  }
  return { store, kept }
}

async function talked(changes: { readonly model?: string; readonly fails?: boolean } = {}) {
  const { model = 'm', fails = false } = changes
  const sent: (readonly string[])[] = []
  const embed = async (texts: readonly string[]) => {
    sent.push(texts)
    if (fails && texts.length > 1) throw new Error('quota')
    return texts.map((text) => (/bill|expenditure/.test(text) ? [1, 0.1] : [0.1, 1]))
  }
  const named = embedder(embed, model === '' ? {} : { model })
  const { store, kept } = storeWithVectors()
  const { tl, chat } = await talkedLong({ store, embedder: named }, longTalk({ 20: bill }))
  return { tl, chat, sent, kept }
}

it('finds a message without a word of the query, once its vector is stored', async () => {
  const { tl, chat, sent, kept } = await talked()
  expect((await chat.recall(query)).pieces).toEqual([])
  await tl.settled()
  expect(kept.size).toBeGreaterThan(100)
  // Each piece once, and no more in one call than were asked for.
  const texts = sent.flat()
  expect(new Set(texts).size).toBe(texts.length)
  const calls = sent.length
  const { pieces } = await chat.recall(query)
  expect(pieces[0]?.text).toContain(bill)
  expect(pieces[0]?.foundBy).toMatchObject({ words: [], meaning: expect.closeTo(1) })
  await chat.recall('plumbers')
  expect(sent.slice(calls)).toEqual([['plumbers']])
})

it('stores no vectors of an embedder without a name, or that fails', async () => {
  for (const changes of [{ model: '' }, { fails: true }]) {
    const { tl, chat, kept, sent } = await talked(changes)
    expect((await chat.recall(query)).pieces).toEqual([])
    await tl.settled()
    expect(kept.size).toBe(0)
    expect(sent.length).toBeLessThan(3)
  }
})
