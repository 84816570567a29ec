/** A summary that a model has written and nothing has judged yet. */

export interface Draft {
  readonly text: string
  readonly keyPoints: readonly string[]
  readonly facets: Facets | null
}

/** What a structured summary tells apart; empty where there is nothing of a kind. */
export interface Facets {
  readonly participants: readonly string[]
  readonly decisions: readonly string[]
  readonly actionItems: readonly ActionItem[]
  readonly unresolved: readonly string[]
  /** Names of files, classes, APIs and the like. */
  readonly domainEntities: readonly string[]
  readonly tone: string | null
  readonly userFacts: readonly string[]
  readonly references: readonly string[]
}

export interface ActionItem {
  readonly owner: string | null
  readonly task: string
  readonly due: string | null
}
