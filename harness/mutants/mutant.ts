/** A bug as a change of our code, which tests must notice. */
export interface Mutant {
  /** What is wrong with it, and of which requirement. */
  readonly name: string
  /** From the root. */
  readonly file: string
  /** Stands there exactly once. */
  readonly find: string
  readonly replace: string
  /** Files of tests, or folders of them, from the root: one of them must fail. */
  readonly tests: readonly string[]
}

/** The text with the bug in it; null where what it changes does not stand there exactly once. */
export function mutated(
  text: string,
  { find, replace }: Pick<Mutant, 'find' | 'replace'>,
): string | null {
  const at = text.indexOf(find)
  if (at < 0 || text.indexOf(find, at + 1) >= 0 || find === replace) return null
  return text.slice(0, at) + replace + text.slice(at + find.length)
}
