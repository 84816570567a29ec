/**
 * What recorded requests cost, in tokens of uncached input: a request that keeps the cached prefix pays a tenth
 * for what the one before had. The same requests are priced for two other methods, as far as the log is short.
 */
import {
  type ConversationHandle,
  createMeter,
  findModel,
  loadEstimator,
  loadGptTokenizer,
  type RequestUse,
} from 'throughline'

export interface RequestCost {
  readonly fingerprint: string
  readonly at: number
  readonly model: string
  /** Null in records of older releases. */
  readonly head: number | null
  readonly tokens: number
  /** Tokens that the provider's cache had, if the request kept the prefix of the one before. */
  readonly cachedTokens: number
  /** Tokens that were new, and are in the cache from then on. */
  readonly freshTokens: number
  readonly brokenBy: RequestUse['brokenBy']
  readonly cost: number
}

/** One way to send the same turns. */
export interface MethodCost {
  readonly cost: number
  readonly sentTokens: number
  readonly breaks: number
  /** Requests that are larger than the window allows. */
  readonly tooLarge: number
}

const cachedPrice = 0.1

/** Oldest first. */
export function costsOf(newestFirst: readonly RequestUse[]): readonly RequestCost[] {
  const before = new Map<string, number>()
  return newestFirst.toReversed().map((use) => {
    const { fingerprint, at, model, head = null, tokens, brokenBy } = use
    const known = brokenBy === null ? (before.get(model) ?? 0) : 0
    const cachedTokens = Math.min(known, tokens)
    before.set(model, tokens)
    const freshTokens = tokens - cachedTokens
    const cost = Math.round(freshTokens + cachedPrice * cachedTokens)
    return { fingerprint, at, model, head, tokens, cachedTokens, freshTokens, brokenBy, cost }
  })
}

export function totalOf(costs: readonly RequestCost[]): MethodCost {
  const sum = (value: (each: RequestCost) => number) =>
    costs.reduce((total, each) => total + value(each), 0)
  return {
    cost: sum(({ cost }) => cost),
    sentTokens: sum(({ tokens }) => tokens),
    breaks: sum(({ brokenBy }) => (brokenBy === null ? 0 : 1)),
    tooLarge: 0,
  }
}

/** Counting more would keep other requests waiting. */
const maxCountedMessages = 5_000

/** The same requests with all messages, and with the newest that fit; null where the log is too long. */
export async function otherMethods(
  chat: ConversationHandle,
  newestFirst: readonly RequestUse[],
): Promise<{ readonly full: MethodCost; readonly sliding: MethodCost } | null> {
  const requests = newestFirst.toReversed().filter(({ head }) => head !== undefined)
  const [first] = requests
  const most = Math.max(0, ...requests.map(({ head = 0 }) => head))
  if (first === undefined || most > maxCountedMessages) return null
  const sums = await sumsOf(chat, first.model, most)
  const whole = requests.find(({ stubbed, leftOut }) => stubbed + leftOut === 0)
  // System prompt and tools are not in the log: a request that shows every message says how many tokens they have.
  const fixed = whole === undefined ? 0 : Math.max(0, whole.tokens - (sums[whole.head ?? 0] ?? 0))
  return { full: price(requests, sums, fixed, false), sliding: price(requests, sums, fixed, true) }
}

/** At each place, the tokens of all messages before it. */
async function sumsOf(
  chat: ConversationHandle,
  model: string,
  to: number,
): Promise<readonly number[]> {
  const tokenizer = (await loadGptTokenizer('o200k_base')) ?? (await loadEstimator())
  const meter = createMeter({ card: findModel(model).card, tokenizer })
  const sums = [0]
  for await (const message of chat.messages({ from: 0, to })) {
    sums.push((sums.at(-1) ?? 0) + meter.message(message))
    // Other requests continue meanwhile.
    if (sums.length % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return sums
}

function price(
  requests: readonly RequestUse[],
  sums: readonly number[],
  fixed: number,
  slides: boolean,
): MethodCost {
  let [start, before, cost, sentTokens, breaks, tooLarge] = [0, 0, 0, 0, 0, 0]
  for (const { head = 0, availableTokens } of requests) {
    const size = (from: number) => fixed + (sums[head] ?? 0) - (sums[from] ?? 0)
    const startBefore = start
    while (slides && start < head && size(start) > availableTokens) start += 1
    const tokens = size(start)
    if (tokens > availableTokens) tooLarge += 1
    const isBroken = start !== startBefore
    if (isBroken) breaks += 1
    const cached = Math.min(tokens, isBroken ? fixed : before)
    cost += tokens - cached + cachedPrice * cached
    sentTokens += tokens
    before = tokens
  }
  return { cost: Math.round(cost), sentTokens, breaks, tooLarge }
}
