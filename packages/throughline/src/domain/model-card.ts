/** Model cards: plain data, so that users can write their own. */
import { ThroughlineError } from '../errors.ts'
import { defaultOverhead, pictureFields, unsetCard } from './model-card-data.ts'
import { describe } from './text.ts'

/** The tokenizers that we know by name. */
export type TokenizerName = 'o200k_base' | 'cl100k_base' | 'estimate'

/** The figures of a model that we need to count tokens and to stay inside its window. */
export interface ModelCard {
  /** The model's name without its route: `claude-sonnet-5-5`, not `bedrock/anthropic.…`. */
  readonly id: string
  /** Who made it, `anthropic`; null where the name does not say. */
  readonly provider: string | null
  /** Prompt and reply together. */
  readonly contextWindowTokens: number
  /** Where the provider takes less than the whole window as prompt, as for gpt-5. */
  readonly maxInputTokens: number | null
  readonly maxOutputTokens: number | null
  /** The source of the window, by address or by name and date; or who set it. */
  readonly windowSource: string
  readonly tokenizer: TokenizerName
  /**
   * The most tokens that the model counts for a token of our estimate, until usage is reported:
   * above 1 for a vocabulary that cuts text finer than o200k, which the estimate uses.
   */
  readonly tokensPerEstimate: number
  readonly overhead: Overhead
  readonly pictures: PictureRule
}

/** Tokens that a request has around the text we can see. */
interface Overhead {
  readonly perRequestTokens: number
  readonly perMessageTokens: number
  /** A call or a result: its id and its frame. */
  readonly perToolUseTokens: number
  readonly perToolTokens: number
  /** Once, where a request offers tools: the provider explains to the model how to call them. */
  readonly toolPreambleTokens: number
}

/** How a provider bills a picture. Each rule has a maximum, used where the size is unknown. */
export type PictureRule = PatchRule | TileRule | { readonly kind: 'fixed'; readonly tokens: number }

/** Tokens for each square of `patchPixels`; larger pictures are scaled down first. */
interface PatchRule {
  readonly kind: 'patches'
  readonly patchPixels: number
  readonly maxPatches: number
  readonly tokensPerPatch: number
}

/** Scaled into `longSidePixels` by `shortSidePixels`, then billed by the tile. */
interface TileRule {
  readonly kind: 'tiles'
  readonly tilePixels: number
  readonly longSidePixels: number
  readonly shortSidePixels: number
  readonly baseTokens: number
  readonly tokensPerTile: number
}

/** A model card of your own. For a known model, the built-in card supplies the omitted fields. */
export type ModelCardInput = Pick<ModelCard, 'id'> & Partial<ModelCard>

/** What completes a card: the built-in card of the model, or defaults without a window. */
export type BaseCard = Omit<ModelCard, 'id' | 'contextWindowTokens'> & Partial<ModelCard>

/** Limits of the base that contradict a smaller window are lowered to it. */
export function completeCard(input: ModelCardInput, base: BaseCard = unsetCard): ModelCard {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidCard(
      `a model card is an object such as { id: "gpt-5-mini", contextWindowTokens: 32_000 }, got ${describe(input)}`,
    )
  const set = withoutUndefined(input)
  const windowSource = set.contextWindowTokens === undefined ? base.windowSource : 'set by you'
  const card = { ...base, windowSource, ...set, id: base.id ?? set.id }
  checkFields(card)
  return Object.freeze(withinWindow(card, base.contextWindowTokens))
}

function checkFields(card: BaseCard & Pick<ModelCard, 'id'>): asserts card is ModelCard {
  const name = typeof card.id === 'string' ? `"${card.id}"` : 'without an id'
  if (isText(card.id) && card.id.includes('*'))
    throw invalidCard(
      `model card ${name}: id must be a name, not a pattern; a card for "gpt-5" also serves "gpt-5-…"`,
    )
  if (isText(card.id) && card.contextWindowTokens === undefined)
    throw invalidCard(
      `model card ${name}: contextWindowTokens is missing, and the catalogue does not know this model`,
    )
  const names = new Set([...Object.keys(validators), ...Object.keys(card)])
  for (const field of names) {
    const value = fields(card)[field]
    const isValid = Object.hasOwn(validators, field) && validators[field as keyof ModelCard](value)
    if (!isValid) throw invalidCard(`model card ${name}: ${field} cannot be ${describe(value)}`)
  }
}

/** Some providers count replies apart from the window: their own output limit may be above it. */
export function withinWindow(card: ModelCard, knownWindowTokens = Number.POSITIVE_INFINITY) {
  const { contextWindowTokens, maxInputTokens, maxOutputTokens } = card
  const atMost = (limit: number | null) => limit && Math.min(limit, contextWindowTokens)
  const isSmaller = contextWindowTokens < knownWindowTokens
  return {
    ...card,
    maxInputTokens: atMost(maxInputTokens),
    maxOutputTokens: isSmaller ? atMost(maxOutputTokens) : maxOutputTokens,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isPositive = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isTokenLimit = (value: unknown) => isCount(value) && value !== 0
const orNull = (isValid: (value: unknown) => boolean) => (value: unknown) =>
  value === null || isValid(value)
const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const validators: Readonly<Record<keyof ModelCard, (value: unknown) => boolean>> = {
  id: isText,
  provider: orNull(isText),
  contextWindowTokens: isTokenLimit,
  maxInputTokens: orNull(isTokenLimit),
  maxOutputTokens: orNull(isTokenLimit),
  windowSource: isText,
  tokenizer: (value) => value === 'o200k_base' || value === 'cl100k_base' || value === 'estimate',
  tokensPerEstimate: isPositive,
  overhead: (value) => Object.keys(defaultOverhead).every((field) => isCount(fields(value)[field])),
  pictures: isPictureRule,
}

function isPictureRule(value: unknown): boolean {
  const { kind, ...numbers } = fields(value)
  if (typeof kind !== 'string' || !Object.hasOwn(pictureFields, kind)) return false
  return pictureFields[kind as PictureRule['kind']].every((field) => isPositive(numbers[field]))
}

function withoutUndefined(input: ModelCardInput): ModelCardInput {
  const set = Object.entries(fields(input)).filter(([, value]) => value !== undefined)
  // Only undefined fields are gone, and those are optional.
  return Object.fromEntries(set) as ModelCardInput
}

function invalidCard(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', message)
}
