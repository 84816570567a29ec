/** An answer of an upstream as it is collected while its bytes pass. */
export type Fields = Readonly<Record<string, unknown>>

export interface CollectedAnswer {
  /** Messages in the form of the API, as a client would send them back. */
  readonly messages: readonly object[]
  /** Whether the upstream said that the answer is whole. */
  readonly isComplete: boolean
  /** What the upstream reported, in its form; null if it did not. */
  readonly usage: object | null
  /** Ids by which a later request shows that it has this answer. */
  readonly ids: readonly string[]
}

export interface AnswerCollector {
  /** Takes an event of a stream; true when no more of the answer follows. */
  take(data: Fields): boolean
  /** What has been collected so far. */
  answer(): CollectedAnswer
}

/** How an API answers: as one JSON value, or as a stream of events. */
export interface AnswerForm {
  whole(body: Fields): CollectedAnswer
  collector(): AnswerCollector
}

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list; other items are left out. */
export function objectsIn(value: unknown): readonly Fields[] {
  return listOf(value).flatMap((each): readonly Fields[] => {
    const fields = fieldsOf(each)
    return fields === null ? [] : [fields]
  })
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function fieldsOfText(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}
