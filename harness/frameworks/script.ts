/** The turns of a door: the user asks, the model calls two or three tools at once, then answers. */
import { createThroughline, type Throughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import type { ModelQuestion, ScriptedAnswer } from '../fault-server.ts'

export const windowTokens = 16_384
export const modelName = 'agent-16k'
export const conversation = 'talk'
export const instructions = 'You are a careful engineer. Use the tools; do not guess.'

export function engineOn(database: string): Throughline {
  return createThroughline({
    store: sqlite(database, { durability: 'normal' }),
    models: [{ id: modelName, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
}

export function questionOf(turn: number): string {
  return `Turn ${turn}: which of the files of module ${turn} still use the ledger format of version ${turn % 7}?`
}

/** Calls after a user message, an answer after results. Every call has another id. */
export function scriptedAnswer({ number, messages }: ModelQuestion): ScriptedAnswer {
  const last = messages.at(-1)
  if (last?.role === 'tool')
    return {
      text: `File src/module/${number}.ts still uses it (checked in request ${number}).`,
      calls: [],
    }
  const call = (index: number, name: string, input: ScriptedAnswer['calls'][number]['input']) => ({
    id: `call_${number}_${index}`,
    name,
    input,
  })
  const calls = [
    call(0, 'read', { path: `src/module/${number}.ts` }),
    call(1, 'search', { pattern: `ledger.*v${number % 7}` }),
  ]
  const third = call(2, 'read', { path: `test/module/${number}.ts` })
  return {
    text: number % 4 === 0 ? `Next I look at module ${number}.` : '',
    calls: number % 3 === 0 ? [...calls, third] : calls,
  }
}

export const toolSchemas = {
  read: {
    description: 'Reads a file of the repository.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'The path of the file.' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  search: {
    description: 'Finds lines in the repository.',
    parameters: {
      type: 'object',
      properties: { pattern: { type: 'string', description: 'A regular expression.' } },
      required: ['pattern'],
      additionalProperties: false,
    },
  },
} as const

/** The same text for the same input; a few to a few hundred lines. */
export function runTool(name: string, input: Readonly<Record<string, unknown>>): string {
  const subject = `${input['path'] ?? input['pattern']}`
  const seed = [...subject].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7)
  const lines = name === 'read' ? 5 + (seed % 60) : 12
  return Array.from(
    { length: lines },
    (_, line) =>
      `${line + 1}  ${name} ${subject}: entry${seed}_${line} = parse(header, ${seed * line})`,
  ).join('\n')
}
