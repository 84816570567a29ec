/** What the facts of all families of tools are made of. */
import type { ToolSummary } from '../domain/tool-summary.ts'
import type { ToolUse } from './tool-use.ts'

export interface FamilyFacts {
  readonly facts: readonly string[]
  readonly metadata: ToolSummary['metadata']
  /** Where the family knows better than the outcome. */
  readonly status?: ToolSummary['status']
}

const sign = '…'

/** The beginning of a value, in one line, with a sign that more followed. */
export function factValue(text: string, characters: number): string {
  const line = text
    .slice(0, characters * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= characters && text.length <= characters * 4) return line.toWellFormed()
  return `${line.slice(0, characters - sign.length).trimEnd()}${sign}`.toWellFormed()
}

const topPaths = 3

/** One file by its name; of several how many, and the first. */
export function fileFacts(paths: readonly string[]): readonly string[] {
  if (paths.length <= 1) return [`File: ${paths[0] ?? 'unknown'}`]
  return [`Files: ${paths.length}`, topFiles(paths)]
}

export function topFiles(paths: readonly string[]): string {
  return `Top files: ${paths.slice(0, topPaths).join(', ')}`
}

export function failed({ outcome }: ToolUse): boolean {
  return outcome === null || outcome.status === 'error'
}

const jsonCharacters = 1_000_000

/** Entries of a JSON list; null where it is none. */
export function listedIn(text: string): number | null {
  if (text.length > jsonCharacters || !/^\s*\[/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.length : null
  } catch {
    // It begins as a list does, and is something else or was cut off.
    return null
  }
}

/** How much a tool said: one long line is told by its length. */
export function outputFact({ lines, report }: ToolUse): string {
  const isOneLong = lines <= 1 && report.text.length > longLineCharacters
  return isOneLong ? `Output: ${report.text.length} characters` : `Output: ${lines} lines`
}

const longLineCharacters = 200
