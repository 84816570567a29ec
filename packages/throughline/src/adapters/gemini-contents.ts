/** generateContent of the Gemini API, read and written. */
import type { Adapter } from '../ports/adapter.ts'
import { defineAdapter } from './define-adapter.ts'
import { readGemini } from './gemini/read.ts'
import { geminiContentsProblems } from './gemini/rules.ts'
import { writeGemini } from './gemini/write.ts'

/** What of the body is ours; all other fields are the caller's. */
export interface GeminiContentsRequest {
  readonly systemInstruction?: { readonly parts?: readonly object[] | undefined } | undefined
  /** Read where a client spells it so; never written. The same holds for fields of parts and tools. */
  readonly system_instruction?: { readonly parts?: readonly object[] | undefined } | undefined
  readonly contents: readonly {
    readonly role?: string | undefined
    readonly parts?: readonly object[] | undefined
  }[]
  readonly tools?: readonly object[] | undefined
}

/**
 * generateContent of the Gemini API, read and written.
 *
 * @example
 * const body = { generationConfig: { temperature: 0 }, ...geminiContents.write(context) }
 */
export const geminiContents: Adapter<GeminiContentsRequest> = defineAdapter<GeminiContentsRequest>({
  format: 'gemini-contents',
  list: { field: 'contents' },
  read: readGemini,
  write: writeGemini,
  problems: geminiContentsProblems,
})
