/** So many questions against both stores: nothing is thrown, answers are bounded, and the same. */
import {
  type ConversationHandle,
  createThroughline,
  type RecalledPiece,
  type Store,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { loadEstimator } from '../../packages/throughline/src/tokenizers/choose-tokenizer.ts'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { fuzzedQuery } from './fuzzed-query.ts'
import { fillLog, searchedLog, searchedModel } from './searched-log.ts'

export interface QueriesOptions {
  readonly seed: number
  readonly queries: number
  /** A bug of the file, where one is put in. */
  readonly planted?: ((store: Store) => Store) | undefined
  /** To end with the first finding of this rule. */
  readonly untilFound?: string | undefined
}

export interface QueriesReport {
  readonly findings: readonly Finding[]
  readonly figures: Record<'queries' | 'answered' | 'pieces' | 'anchors' | 'logs', number>
}

const queriesPerLog = 2_000

export async function runQueries(options: QueriesOptions): Promise<QueriesReport> {
  const { seed, queries, planted = (store) => store, untilFound } = options
  const findings: Finding[] = []
  const figures = { queries: 0, answered: 0, pieces: 0, anchors: 0, logs: 0 }
  const { count } = await loadEstimator()
  while (figures.queries < queries) {
    const chance = chanceOf(`queries ${seed} ${figures.logs}`)
    const log = searchedLog(chance)
    const stores = [memory(), planted(sqlite(':memory:'))]
    const chats = stores.map(begin)
    for (const chat of chats) await fillLog(chat, log)
    const known = new Set<string>()
    figures.logs += 1
    for (let index = 0; index < queriesPerLog && figures.queries < queries; index += 1) {
      figures.queries += 1
      const asked = askedOf(chance, fuzzedQuery(chance, log.words))
      const found = await findingsOf(chats, asked, { count, known })
      const name = `${seed} ${figures.logs - 1}/${index} ${JSON.stringify(asked).slice(0, 200)}`
      findings.push(...found.broken.map((rule) => ({ rule, detail: name })))
      figures.pieces += found.pieces
      if (found.pieces > 0) figures.answered += 1
      if (untilFound !== undefined && found.broken.includes(untilFound))
        return { findings, figures }
    }
    figures.anchors += known.size
    for (const store of stores) await store.close()
  }
  return { findings, figures }
}

function begin(store: Store): ConversationHandle {
  const clock = { now: () => 1_750_000_000_000 }
  return createThroughline({ store, models: [searchedModel], clock }).conversation('c')
}

interface Asked {
  readonly query: string
  readonly options: { readonly limit?: number; readonly tokens?: number }
}

function askedOf(chance: Chance, query: string): Asked {
  return {
    query,
    options: {
      ...(chance.once(3) && { limit: chance.pick([0, 1, 2, 100]) }),
      ...(chance.once(3) && { tokens: chance.pick([0, 59, 60, 100, 500, 20_000]) }),
    },
  }
}

interface Judged {
  readonly broken: readonly string[]
  readonly pieces: number
}

async function findingsOf(
  chats: readonly ConversationHandle[],
  { query, options }: Asked,
  judge: { readonly count: (text: string) => number; readonly known: Set<string> },
): Promise<Judged> {
  const answers: (readonly RecalledPiece[])[] = []
  const broken: string[] = []
  const { limit = 8, tokens = 2_000 } = options
  for (const [number, chat] of chats.entries()) {
    const pieces = await chat.recall(query, options).then(
      (recalled) => recalled.pieces,
      () => null,
    )
    if (pieces === null) return { broken: ['throws'], pieces: 0 }
    answers.push(pieces)
    if (pieces.length > limit) broken.push('limit')
    const told = pieces.reduce((sum, { text }) => sum + judge.count(text), 0)
    if (told > tokens) broken.push('tokens')
    if (pieces.some(({ score }, at) => !(score <= (pieces[at - 1]?.score ?? 1))))
      broken.push('order')
    for (const { anchor } of pieces) {
      const name = `${number} ${anchor}`
      if (judge.known.has(name)) continue
      if ((await chat.expand(anchor).catch(() => null)) === null) broken.push('anchor')
      else judge.known.add(name)
    }
  }
  const [first, ...others] = answers.map((pieces) => JSON.stringify(pieces))
  if (others.some((other) => other !== first)) broken.push('stores')
  return { broken, pieces: answers[0]?.length ?? 0 }
}
