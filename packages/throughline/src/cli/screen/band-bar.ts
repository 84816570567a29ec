/** A bar that is made of bands, one behind the other. */
export interface Band {
  readonly amount: number
  /** One column wide. */
  readonly sign: string
  readonly paint: (text: string) => string
}

/** Each band as long as its share of the whole; what is there at all has a cell where there is room. */
export function bandBar(bands: readonly Band[], cells: number): string {
  const lengths = bandLengths(
    bands.map(({ amount }) => amount),
    cells,
  )
  return bands.map(({ sign, paint }, index) => paint(sign.repeat(lengths[index] ?? 0))).join('')
}

export function bandLengths(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0)
  if (whole === 0) return amounts.map(() => 0)
  const lengths = amounts.map((amount) => Math.floor((amount / whole) * cells))
  const seen = lengths.map((length, index) =>
    length === 0 && (amounts[index] ?? 0) > 0 && cells >= amounts.length ? 1 : length,
  )
  let left = cells - seen.reduce((sum, length) => sum + length, 0)
  // The largest give or take what rounding has left.
  const largestFirst = amounts
    .map((_, index) => index)
    .sort((a, b) => (amounts[b] ?? 0) - (amounts[a] ?? 0))
  for (let turn = 0; left !== 0 && turn < cells * amounts.length; turn += 1) {
    const index = largestFirst[turn % amounts.length] ?? 0
    const change = Math.sign(left)
    if ((amounts[index] ?? 0) === 0 || (seen[index] ?? 0) + change < 1) continue
    seen[index] = (seen[index] ?? 0) + change
    left -= change
  }
  return seen
}
