/** What the scanner of JSON texts is asked, and what it answers with. */
import type { JsonPath } from './json-path.ts'

type Choice = 'take' | 'enter' | 'skip'

/** What to do with a value. `opening` is its first character. */
export type Choose = (path: JsonPath, opening: string) => Choice

export interface JsonElement {
  readonly kind: 'element'
  readonly path: JsonPath
  readonly text: string
  /** Line where the value begins, from 1. */
  readonly line: number
  /** Which of the documents in the text it belongs to, from 0. */
  readonly root: number
  /** False if the text ended inside it. */
  readonly complete: boolean
}

export interface JsonProblem {
  readonly kind: 'problem'
  readonly line: number
  readonly reason: string
}

export type ScanEvent = JsonElement | JsonProblem
