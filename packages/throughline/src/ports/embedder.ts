/** The port for models that turn texts into vectors. See `embedder` of `throughline/models`. */

/** Turns texts into vectors, by which recall compares their meaning. It may reject. */
export interface Embedder {
  /** Names the model. Stores that compare vectors keep those of a named model, and compare no others. */
  readonly model?: string | undefined
  /** How long a search waits for it; 3 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** One vector for each text, in the same order, all of the same length. */
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): PromiseLike<readonly ArrayLike<number>[]>
}
