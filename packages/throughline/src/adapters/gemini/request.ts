/** A body of generateContent, typed by its shape. */

/** What `geminiContents.read` accepts; it ignores all other fields. */
export interface GeminiContentsRequestInput {
  readonly systemInstruction?: { readonly parts?: readonly object[] | undefined } | undefined
  /** The spelling of the REST API, which fields of parts and tools may have too; it is never written. */
  readonly system_instruction?: { readonly parts?: readonly object[] | undefined } | undefined
  readonly contents: readonly {
    readonly role?: string | undefined
    readonly parts?: readonly object[] | undefined
  }[]
  readonly tools?: readonly object[] | undefined
}

/** What `geminiContents.write` returns. Arrays are writable because those of `@google/genai` are. */
export interface GeminiContentsRequest {
  systemInstruction?: { parts: object[] }
  contents: { role?: 'user' | 'model'; parts: object[] }[]
  tools?: object[]
}
