/** Default sizes of the measures. */
export const shippedSizes = {
  /** Windows, in tokens. */
  cost: [8_000, 32_000, 128_000],
  fit: [8_192, 32_768, 131_072],
  origin: [8_192, 32_768],
  rules: [8_192],
  /** Contexts, in tokens. */
  recall: [2_000, 4_000, 8_000],
  /** Messages of the log. */
  loop: [1_000_000],
  turn: [100, 1_000, 10_000, 100_000],
  /** Bytes of a request. */
  gateway: [32_768, 524_288, 10_485_760],
} as const satisfies Record<string, readonly number[]>
