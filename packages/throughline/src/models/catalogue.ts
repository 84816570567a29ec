/**
 * Finds the card of a model by its name: exactly (apart from a date or a revision), by the longest
 * family name that it begins with, or not at all. An unknown model gets a window of 8,192, that of the
 * smallest chat models still served: too small costs an early compaction, too large a refused request.
 */
import {
  completeCard,
  type ModelCard,
  type ModelCardInput,
  withinWindow,
} from '../domain/model-card.ts'
import { unsetCard } from '../domain/model-card-data.ts'
import { describe, nearestNames } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import { anthropicFamilies } from './families-anthropic-data.ts'
import { googleFamilies } from './families-google-data.ts'
import { mistralFamilies } from './families-mistral-data.ts'
import { openFamilies } from './families-open-data.ts'
import { openaiFamilies } from './families-openai-data.ts'
import type { Family } from './family.ts'
import { datedEndings, routers, statedWindowEnding, vendorDot } from './model-name-forms-data.ts'

export interface FoundModel {
  readonly card: ModelCard
  /** `stated`: unknown, but its name states the window. `fallback`: unknown, with a window of 8,192. */
  readonly match: 'exact' | 'family' | 'stated' | 'fallback'
  /** Known models with a similar name, where none matches: at most three. */
  readonly suggestions: readonly string[]
}

export const fallbackWindowTokens = 8_192

/**
 * Finds the card of a model by its name. Every name has an answer, which says how sure it is, and its
 * card where the window comes from. Your own cards (`extra`) take precedence over the catalogue.
 *
 * @example
 * findModel('openrouter/anthropic/claude-sonnet-5.5').card.contextWindowTokens // 1_000_000
 */
export function findModel(name: string, extra: readonly ModelCardInput[] = []): FoundModel {
  if (typeof name !== 'string')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `findModel expects a model name, got ${describe(name)}`,
    )
  const parsed = parseModelName(name)
  const ownCards = completedCards(extra)
  /** The card of the first key that is known. */
  const cardBy = (keys: readonly string[]) => {
    const key = keys.find((each) => ownCards.has(each) || knownByKey.has(each)) ?? ''
    const known = knownByKey.get(key)
    return ownCards.get(key) ?? (known === undefined ? null : { id: parsed.id, ...known.card })
  }
  const exact = cardBy([parsed.key, parsed.undatedKey])
  const card = exact ?? cardBy(shorterKeys(parsed.key))
  const unknownMatch = parsed.statedWindowTokens === null ? 'fallback' : 'stated'
  return {
    card: withStatedWindow(card ?? unknownCard(parsed), parsed),
    match: exact !== null ? 'exact' : card !== null ? 'family' : unknownMatch,
    suggestions: card === null ? similarNames(parsed) : [],
  }
}

/**
 * A model card of your own: omitted fields come from the built-in card, found as `findModel` does, and
 * limits above the window are lowered to it. A model that the catalogue does not know needs a window.
 *
 * @example
 * const smaller = modelCard({ id: 'gpt-5-mini', contextWindowTokens: 32_000 }) // counts as gpt-5-mini does
 * const own = modelCard({ id: 'house-model', contextWindowTokens: 32_768 })
 */
export function modelCard(input: ModelCardInput): ModelCard {
  const { id } = input ?? {}
  const found = typeof id === 'string' ? findModel(id) : null
  return completeCard(input, found === null || found.match === 'fallback' ? unsetCard : found.card)
}

/** Cards of your own, complete. Of two for the same model, the later one overrides single fields. */
export function modelCards(inputs: readonly ModelCardInput[]): readonly ModelCard[] {
  return [...completedCards(inputs).values()]
}

function completedCards(inputs: readonly ModelCardInput[]): ReadonlyMap<string, ModelCard> {
  const cards = new Map<string, ModelCard>()
  for (const input of inputs) {
    const key = typeof input?.id === 'string' ? parseModelName(input.id).key : ''
    const earlier = cards.get(key)
    const card = earlier === undefined ? modelCard(input) : completeCard(input, earlier)
    if (key === '')
      throw new ThroughlineError('CONFIG_INVALID', `model card "${card.id}": id names no model`)
    cards.set(key, card)
  }
  return cards
}

const allFamilies: readonly Family[] = [
  ...openaiFamilies,
  ...anthropicFamilies,
  ...googleFamilies,
  ...mistralFamilies,
  ...openFamilies,
]
const knownByKey = new Map(
  allFamilies.flatMap(({ names, card }) =>
    names.map((name) => [keyOf(name), { name, card }] as const),
  ),
)

/** Every model name in the catalogue, as its provider spells it. See `findModel`. */
export const knownModels: readonly string[] = [...knownByKey.values()].map(({ name }) => name)

const maxSuggestions = 3

function similarNames({ undatedKey }: ModelName): readonly string[] {
  const keys = nearestNames(undatedKey, [...knownByKey.keys()])
  return keys.slice(0, maxSuggestions).flatMap((key) => knownByKey.get(key)?.name ?? [])
}

/** `gpt-5-2-codex` may belong to `gpt-5-2`, then to `gpt-5`; never to `gpt-5-2-co`. */
function shorterKeys(key: string): readonly string[] {
  const keys: string[] = []
  for (let end = key.length - 1; end > 0; end -= 1)
    if (boundaries.has(key.charAt(end))) keys.push(key.slice(0, end))
  return keys
}

const boundaries = new Set(['-', ':', '@'])

function withStatedWindow(card: ModelCard, { statedWindowTokens }: ModelName): ModelCard {
  const contextWindowTokens = statedWindowTokens
  if (contextWindowTokens === null) return card
  const windowSource = 'stated in the name of the model'
  return withinWindow({ ...card, contextWindowTokens, windowSource }, card.contextWindowTokens)
}

function unknownCard({ id, vendor }: ModelName): ModelCard {
  return {
    id,
    ...unsetCard,
    provider: vendor,
    contextWindowTokens: fallbackWindowTokens,
    windowSource: 'conservative default, model unknown',
  }
}

/**
 * The parts of a name: one model has many, with a provider before it, a date after it, or in the
 * spelling of Bedrock, Vertex, OpenRouter, Azure or Ollama.
 */
interface ModelName {
  /** Without the route: `gpt-4o-2024-08-06`. */
  readonly id: string
  /** For comparing: dots and underscores are hyphens, `llama3` is `llama-3`. */
  readonly key: string
  /** The key without date, revision and tag, where it has any. */
  readonly undatedKey: string
  /** The part before the last slash or the vendor's dot, `anthropic`. */
  readonly vendor: string | null
  /** A window that the name itself states: `[1m]`, or Bedrock's `:28k`. */
  readonly statedWindowTokens: number | null
}

function parseModelName(name: string): ModelName {
  const bounded = name.slice(0, maxNameCharacters).trim().toLowerCase()
  const segments = bounded.replace(statedWindowEnding, '').trim().split('/')
  const last = withoutRouter(segments.at(-1) ?? '')
  const vendorPrefix = vendorDot.exec(last)
  const id = vendorPrefix ? last.slice(vendorPrefix[0].length) : last
  const route = withoutRouter(segments.at(-2) ?? '')
  const key = keyOf(id)
  return {
    id,
    key,
    undatedKey: withoutDate(key),
    vendor: vendorPrefix?.[1] ?? (route === '' || route === 'models' ? null : route),
    statedWindowTokens: statedWindow(bounded),
  }
}

function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[._\s]+/g, '-')
    .replace(/^meta-(?=llama)/, '')
    .replace(/^(llama|qwen|gemma|glm)-?(?=\d)/, '$1-')
}

// Names come from users and files; no useful name is longer.
const maxNameCharacters = 512

// `openrouter: anthropic/claude-…`, `bedrock:anthropic.claude-…`
function withoutRouter(segment: string): string {
  return segment.replace(/^[a-z][a-z0-9_-]*:\s*(?=[a-z].*[a-z-])/, (router) =>
    routers.has(router.slice(0, router.indexOf(':'))) ? '' : router,
  )
}

function statedWindow(name: string): number | null {
  const match = statedWindowEnding.exec(name)
  if (match === null) return null
  const amount = Number(match[1] ?? match[3])
  const tokens = amount * ((match[2] ?? match[4]) === 'm' ? 1_000_000 : 1_000)
  return tokens > 0 && tokens <= 100_000_000 ? tokens : null
}

const maxEndings = 3

function withoutDate(key: string): string {
  let rest = key
  for (let round = 0; round < maxEndings; round += 1)
    for (const ending of datedEndings) rest = rest.replace(ending, '')
  return rest
}
