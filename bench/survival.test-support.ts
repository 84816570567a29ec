/**
 * Generates a Claude Code transcript of a coding agent from a seed: it reads and edits files, mentions
 * names it saw long ago, and is compacted once.
 */
import { readTranscript } from 'throughline/transcripts'
import { seededRandom } from '../harness/kernel/chance.ts'
import type { TranscriptFile } from './transcript-files.ts'

const workingFolder = '/home/dev/project'
const files = Array.from({ length: 12 }, (_, at) => `${workingFolder}/src/part${at}/unit_${at}.ts`)

export interface MadeSession {
  readonly seed: string
  readonly steps: number
  /** The step after the summary; null for none. */
  readonly compactedBefore: number | null
}

export function claudeSession({ seed, steps, compactedBefore }: MadeSession): string {
  const below = seededRandom(seed)
  const records: object[] = [record('user', 'Rename the settings, please. Begin with unit_0.ts.')]
  for (let step = 0; step < steps; step += 1) {
    if (step === compactedBefore) records.push(summaryRecord())
    const file = below(files.length)
    const name = `loadSettings${spelled(below(400))}`
    const ago = `loadSettings${spelled(below(400))}`
    const id = `call-${step}`
    const path = files[file] ?? ''
    if (step % 3 === 2) {
      const at = below(38)
      const old = [lineOf(file, at), lineOf(file, at + 1)].slice(step % 2).join('\n')
      records.push(
        record('assistant', [
          use(id, 'Edit', { file_path: path, old_string: old, new_string: `${old} // ${name}` }),
        ]),
      )
      records.push(record('user', [result(id, `The file ${path} has been updated.`)]))
    } else {
      records.push(
        record('assistant', [textBlock(`Next to ${ago}, as in commit ${hash(below(60))}.`)]),
      )
      const from = below(20)
      records.push(
        record('assistant', [use(id, 'Read', { file_path: path, offset: from, limit: 20 })]),
      )
      const lines = Array.from(
        { length: 20 },
        (_, at) => `${String(from + at).padStart(6)}→${lineOf(file, from + at)}`,
      )
      records.push(record('user', [result(id, [...lines, name, hash(below(60))].join('\n'))]))
    }
  }
  return records.map((each) => `${JSON.stringify(each)}\n`).join('')
}

export function madeFile(name: string, text: string, source = 'made'): TranscriptFile {
  return { source, name, items: () => readTranscript(new TextEncoder().encode(text), { name }) }
}

function lineOf(file: number, line: number): string {
  return `  export const field${spelled(line)}Of${spelled(file)} = ${1_000 + file * 100 + line}`
}

/** Numbers spelled with letters, so that the result is an identifier. */
function spelled(value: number): string {
  return [...String(value)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('x')
}

function hash(value: number): string {
  return `${(value * 2_654_435_761).toString(16)}abcdef0`.slice(0, 10)
}

function summaryRecord(): object {
  const names = files.map((path) => path.slice(workingFolder.length + 1)).join(', ')
  return {
    ...record('user', `The session so far: settings were renamed in ${names}.`),
    isCompactSummary: true,
  }
}

function record(type: 'user' | 'assistant', content: unknown): object {
  return { type, cwd: workingFolder, sessionId: 'made', message: { role: type, content } }
}

function textBlock(text: string): object {
  return { type: 'text', text }
}

function use(id: string, name: string, input: object): object {
  return { type: 'tool_use', id, name, input }
}

function result(id: string, content: string): object {
  return { type: 'tool_result', tool_use_id: id, content }
}
