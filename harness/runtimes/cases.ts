/** Histories as JSON, so that every runtime gets the same bytes. */
import { randomCase } from '../prop/random-case.ts'

/** The histories of a seed and those after it, without the ones that have bytes: JSON has none. */
export async function jsonCases(count: number, seed: number): Promise<readonly string[]> {
  const cases: string[] = []
  for (let next = seed; cases.length < count; next += 1) {
    const { messages, asked, windows } = await randomCase(next)
    const text = JSON.stringify({ seed: next, messages, asked, windows: windows.slice(0, 2) })
    if (!hasBytes({ messages, asked })) cases.push(text)
  }
  return cases
}

function hasBytes(value: unknown): boolean {
  if (ArrayBuffer.isView(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBytes)
}
