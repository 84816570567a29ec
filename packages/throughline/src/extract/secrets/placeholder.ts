/**
 * Values that stand where a secret would stand: for people to fill in, for a shell to
 * expand, or already taken out.
 */
export function isPlaceholder(value: string): boolean {
  const sample = value.slice(0, 200)
  return expanded.test(sample) || filledIn.test(sample) || repeated.test(sample)
}

/** `$TOKEN`, `${{ secrets.X }}`, `{{token}}`, `<token>`, `%(token)s`, `%TOKEN%`, `#{x}`, `@Value`. */
const expanded = /^(?:\$[A-Za-z_{(]|\$\$|[{<[(]|%[({A-Za-z]|#\{|\*\*|\.\.)|\$\{|\{\{|<[a-z]/

const filledIn =
  /your|example|placeholder|change.?me|replace|insert|dummy|redacted|removed|hidden|masked|x{4}|\*{3}|\.{3}|…|•|_here\b|-here\b/i

const repeated = /^(.)\1*$/
