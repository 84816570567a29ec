/** What a run did, line by line, and the one figure that two runs of a seed must share. */
import { createHash } from 'node:crypto'

export interface Trace {
  note(line: string): void
  /** As if it were a line, without keeping it: for what is long. */
  weigh(text: string): void
  hash(): string
}

export function createTrace(print: ((line: string) => void) | null): Trace {
  const sum = createHash('sha256')
  return {
    note: (line) => {
      sum.update(`${line}\n`)
      print?.(line)
    },
    weigh: (text) => {
      sum.update(`${text}\n`)
    },
    hash: () => sum.copy().digest('hex').slice(0, 32),
  }
}
