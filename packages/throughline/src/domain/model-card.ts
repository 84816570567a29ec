/**
 * A model card: what must be known of a model to count for it and to stay inside
 * its window. Plain data, so that a user can write one for a model of their own.
 *
 * A window that nobody can trace is worth little, so a card says where its number
 * comes from.
 */
import { ThroughlineError } from '../errors.ts'

export type TokenizerName = 'o200k_base' | 'cl100k_base' | 'estimate'

export interface ModelCard {
  /** The model's name without the route to it: `claude-sonnet-4-5`, not `bedrock/anthropic.…`. */
  readonly id: string
  /** Who made it, `anthropic`; null where the name does not tell. */
  readonly provider: string | null
  /** Prompt and reply together. */
  readonly contextWindowTokens: number
  /** Where the provider takes less than the whole window as prompt, as for gpt-5. */
  readonly maxInputTokens: number | null
  readonly maxOutputTokens: number | null
  /** The document the window stands in, by address or by name and date; or who set it. */
  readonly windowSource: string
  readonly tokenizer: TokenizerName
  /**
   * Tokens the model counts for each token of our estimate, before any usage was
   * reported: above 1 for a vocabulary that cuts text finer than we expect.
   */
  readonly tokensPerEstimate: number
  readonly overhead: Overhead
  readonly pictures: PictureRule
}

/** Tokens that a request holds around the text we can see. */
export interface Overhead {
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

/** So many tokens for each square of `patchPixels`; larger pictures are scaled down first. */
export interface PatchRule {
  readonly kind: 'patches'
  readonly patchPixels: number
  readonly maxPatches: number
  readonly tokensPerPatch: number
}

/** Scaled into `longSidePixels` by `shortSidePixels`, then billed by the tile. */
export interface TileRule {
  readonly kind: 'tiles'
  readonly tilePixels: number
  readonly longSidePixels: number
  readonly shortSidePixels: number
  readonly baseTokens: number
  readonly tokensPerTile: number
}

export const defaultOverhead: Overhead = {
  perRequestTokens: 3,
  perMessageTokens: 4,
  perToolUseTokens: 10,
  perToolTokens: 10,
  toolPreambleTokens: 0,
}

/** For a model of which nothing is known: the most that the plain tier of a large provider bills. */
export const defaultPictures: PictureRule = {
  kind: 'patches',
  patchPixels: 28,
  maxPatches: 1_600,
  tokensPerPatch: 1,
}

export type ModelCardInput = Pick<ModelCard, 'id' | 'contextWindowTokens'> & Partial<ModelCard>

/**
 * A card of your own.
 *
 * @example
 * const card = modelCard({ id: 'house-model', contextWindowTokens: 32_768 })
 */
export function modelCard(input: ModelCardInput): ModelCard {
  const card: ModelCard = {
    provider: null,
    maxInputTokens: null,
    maxOutputTokens: null,
    windowSource: 'set by you',
    tokenizer: 'estimate',
    tokensPerEstimate: 1,
    overhead: defaultOverhead,
    pictures: defaultPictures,
    ...input,
  }
  check(card, 'contextWindowTokens', isTokens(card.contextWindowTokens))
  check(card, 'maxInputTokens', card.maxInputTokens === null || isTokens(card.maxInputTokens))
  check(card, 'maxOutputTokens', card.maxOutputTokens === null || isTokens(card.maxOutputTokens))
  check(
    card,
    'tokensPerEstimate',
    Number.isFinite(card.tokensPerEstimate) && card.tokensPerEstimate > 0,
  )
  return card
}

function isTokens(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

function check(card: ModelCard, field: keyof ModelCard, sound: boolean): void {
  if (sound) return
  throw new ThroughlineError(
    'CONFIG_INVALID',
    `model card "${card.id}": ${field} cannot be ${String(card[field])}`,
  )
}
