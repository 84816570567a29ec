/** A block of a turn memory, before it is known how much room there is for it. */

/** A text, of which beginning and end stay where it is too long; or lines, which leave one by one. */
export type MemoryBlock =
  | { readonly kind: 'text'; readonly label: string; readonly text: string }
  | {
      readonly kind: 'lines'
      readonly label: string
      readonly lines: readonly string[]
      /** Which of them leaves first. */
      readonly leaves: 'first' | 'last'
      /** Of so many these are the lines; what is not shown is said. Null where nobody has to know. */
      readonly of: number | null
    }

export function textBlock(label: string, text: string): MemoryBlock {
  return { kind: 'text', label, text: text.toWellFormed() }
}

export function lineBlock(
  label: string,
  lines: readonly string[],
  { leaves = 'last', of = null }: LineOptions = {},
): MemoryBlock {
  return { kind: 'lines', label, lines: lines.map((line) => line.toWellFormed()), leaves, of }
}

interface LineOptions {
  readonly leaves?: 'first' | 'last'
  readonly of?: number | null
}
