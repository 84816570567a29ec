import { grouped } from '../../domain/grouped-number.ts'

/** Many tokens as people say them: `950`, `12.4 k`, `3.1 M`. */
export function amountText(amount: number): string {
  if (amount < 10_000) return grouped(amount)
  if (amount < 1_000_000) return `${(amount / 1_000).toFixed(amount < 100_000 ? 1 : 0)} k`
  return `${(amount / 1_000_000).toFixed(amount < 100_000_000 ? 1 : 0)} M`
}
