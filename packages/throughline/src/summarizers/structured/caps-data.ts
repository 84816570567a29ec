/**
 * How much of each a structured summary may have. The schema, the words of the prompt and the
 * check of an answer are made from this one table.
 */
export const caps = {
  summaryCharacters: 5_000,
  keyPoints: { items: 30, characters: 500 },
  participants: { items: 30, characters: 500 },
  decisions: { items: 50, characters: 500 },
  actionItems: { items: 50, taskCharacters: 400, wordCharacters: 60 },
  unresolved: { items: 50, characters: 500 },
  domainEntities: { items: 80, characters: 500 },
} as const

export interface ListCap {
  readonly items: number
  readonly characters: number
}

export type ListName = 'participants' | 'decisions' | 'unresolved' | 'domainEntities'
