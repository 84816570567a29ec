/** Counts the tokens of a text in linear time. Pure, so that a count can be cached. */
export interface Tokenizer {
  /** Names the vocabulary and our version of counting: part of every cache key. */
  readonly id: string
  /** True where the count is the provider's own (but for runs of hundreds of equal characters). */
  readonly exact: boolean
  count(text: string): number
}
