/** One result of a tool in a handful of facts: what it was about, and what came of it. */
export interface ToolSummary {
  readonly toolName: string
  /** Partial: nothing failed, and nothing came of it. */
  readonly status: 'success' | 'error' | 'partial'
  /** Each with its name before it: `File: /app.ts`. */
  readonly keyFacts: readonly string[]
  readonly metadata: Readonly<Record<string, string | number | boolean>>
}
