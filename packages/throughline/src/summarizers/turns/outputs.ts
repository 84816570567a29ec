/** What a model is asked for behind a reply: three kinds of answer, each a JSON object. */
import type { JsonObject } from '../../domain/json.ts'

/** What was accomplished by a long answer, in a sentence. */
interface AssistantResponseSummary {
  readonly summary: string
}

/** A turn in a sentence; and where the history has grown too long, its oldest lines in short. */
export interface TurnSummary {
  readonly summary: string
  readonly history: string | null
}

/** What a conversation is about, in a sentence. */
interface EngagementSummary {
  readonly summary: string
}

/** A sentence has at most so many characters, as code points. */
export const sentenceCharacters = 300

const oneSentence = `One sentence of at most ${sentenceCharacters} characters.`

export const responseSummary: JsonObject = formOf<AssistantResponseSummary>({
  summary: oneSentence,
})

export const turnSummary: JsonObject = formOf<Omit<TurnSummary, 'history'>>({
  summary: oneSentence,
})

export function turnSummaryWithHistory(mostCharacters: number): JsonObject {
  return formOf<TurnSummary>({
    summary: oneSentence,
    history: `The older history in short, at most ${mostCharacters} characters.`,
  })
}

export const engagementSummary: JsonObject = formOf<EngagementSummary>({ summary: oneSentence })

/** Caps stand in descriptions: several providers refuse `maxLength`, so answers are checked. */
function formOf<Output>(fields: Readonly<Record<keyof Output & string, string>>): JsonObject {
  const properties = Object.entries<string>(fields).map(
    ([name, description]) => [name, { type: 'string', description }] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields),
    additionalProperties: false,
  }
}
