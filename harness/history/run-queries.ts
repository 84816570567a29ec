/** Sends queries to both stores: none may throw, and the answers must be bounded and equal. */
import {
  type ConversationHandle,
  createThroughline,
  type MessageInput,
  type RecalledPiece,
  type Store,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { loadEstimator } from '../../packages/throughline/src/tokenizers/choose-tokenizer.ts'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { anyText, plainWords, randomText } from '../prop/random-parts.ts'
import { hostileMessages } from './lying-writer.ts'

interface QueriesOptions {
  readonly seed: number
  readonly queries: number
  /** A planted bug in the SQLite store. */
  readonly planted?: ((store: Store) => Store) | undefined
  /** Ends at the first finding of this rule. */
  readonly untilFound?: string | undefined
}

interface QueriesReport {
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
    const used = pieces.reduce((sum, { text }) => sum + judge.count(text), 0)
    if (used > tokens) broken.push('tokens')
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

/** A log of everything searchable: talk, calls, huge messages, attacks, and removed messages. */
const searchedModel = { id: 'small', contextWindowTokens: 3_000 } as const

interface SearchedLog {
  readonly messages: readonly MessageInput[]
  /** Words for queries. */
  readonly words: readonly string[]
}

function searchedLog(chance: Chance): SearchedLog {
  const messages: MessageInput[] = []
  for (let index = 0; messages.length < 90; index += 1) {
    if (chance.once(3)) messages.push(...hostileMessages({ chance, name: `h${index}`, marks: [] }))
    else messages.push({ role: chance.pick(['user', 'assistant']), content: textOf(chance, index) })
  }
  const words = JSON.stringify(messages).match(/[^\s"\\{}[\],]+/g) ?? []
  return { messages, words: [...new Set(words)] }
}

function textOf(chance: Chance, index: number): string {
  return chance.pick([
    () => `Entry ${index} is in src/part-${index}/readMe.ts, see commit ${chance.below(1e9)}abc.`,
    () => plainWords(chance, chance.between(10, 400)),
    () => randomText(chance, chance.between(1, 600)),
    () => `東京タワー ${index} は高い。서울 ${index}`,
    () => (chance.once(8) ? randomText(chance, 9_000) : 'Always ask before you deploy build 7.'),
  ])()
}

/** Appends, compacts to build a ledger, and removes a message. */
async function fillLog(chat: ConversationHandle, { messages }: SearchedLog): Promise<void> {
  await chat.append(messages)
  await chat.context({ model: searchedModel.id })
  await chat.history.remove('#7')
}

/**
 * Unusual queries, and some ordinary ones: FTS5 operators, quotes, NUL, unpaired surrogates,
 * right-to-left text, SQL, patterns, pages of text, and the empty string.
 */
const signs = ['"', "'", '*', '^', '(', ')', '{', '}', ':', '+', '-', '--', ',', ';', '%', '_', '`']
const operators = ['AND', 'OR', 'NOT', 'NEAR', 'NEAR(', 'terms:', 'rowid', 'MATCH', 'rank']
const statements = [
  "'; DROP TABLE messages; --",
  "' OR 1=1 --",
  '" OR "" = "',
  'SELECT * FROM recall_terms',
  "x') UNION SELECT body FROM messages --",
  '?1 :id @id $id',
]
const patterns = ['.*', '(a+)+$', '[^]', '\\', '\\d{9,}', '(?<=x)', '|', '^$', '$&', '\\u0000']
const scripts = ['东京塔', 'สวัสดี', '서울', 'हिन्दी', 'שלום עולם', 'مرحبا', 'Ωμέγα', 'ﬁ', 'İI', 'ß']
const hidden = [
  '\u0000',
  '\ufeff',
  '\u200b',
  '\u202e',
  '\u2066',
  '\u0301',
  '\ud83d',
  '\ude00',
  '\uffff',
]
const numbers = ['0', '-1', '1e309', 'NaN', '0x7f', '2026-03-05', '#12', '#3-#17', '9'.repeat(40)]

/** A query with words of the log. */
function fuzzedQuery(chance: Chance, words: readonly string[]): string {
  const word = () => words[chance.below(Math.max(1, words.length))] ?? ''
  const some = (make: () => string) => chance.times(chance.between(1, 6), make)
  const one = (values: readonly string[]) => values[chance.below(values.length)] ?? ''
  return chance.pick([
    () => some(word).join(' '),
    () => some(word).join(one([' OR ', ' AND ', ' NOT ', ' NEAR ', '* ', '" "', '\u0000'])),
    () => `${one(signs)}${word()}${one(signs)}`,
    () => some(() => one([...signs, ...operators, word()])).join(one(['', ' '])),
    () => `${word()} ${one(statements)}`,
    () => some(() => one([...patterns, word()])).join(''),
    () => some(() => one([...scripts, word()])).join(one(['', ' '])),
    () => some(() => one([...hidden, word(), ' '])).join(''),
    () => one(numbers),
    () => partOf(word(), chance),
    () => anyText(chance),
    () => (chance.once(20) ? pages(chance, word()) : ''),
  ])()
}

/** May start in the middle of a character. */
function partOf(word: string, chance: Chance): string {
  const from = chance.below(Math.max(1, word.length))
  return word.slice(from, from + chance.between(1, 12))
}

function pages(chance: Chance, word: string): string {
  return `${randomText(chance, 100_000)} ${word}`
}
