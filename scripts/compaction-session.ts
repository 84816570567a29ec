/**
 * A coding session of an agent for docs/compaction.md: a task with rules, files, a failing test, a
 * decision, a correction, a key that a command prints. Everything in it is made up; the page shows how
 * it is compacted.
 */
import { type Builder, build } from 'throughline/testing'
import { gateway } from './compaction-session/gateway.ts'
import { report } from './compaction-session/report.ts'
import { worker } from './compaction-session/worker.ts'
import { zones } from './compaction-session/zones.ts'

export const system =
  'You are a coding agent in the folder of a project. Work with the tools, and say what you found.'

const path = { type: 'string' } as const
const schemaOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

export const tools = [
  { name: 'read_file', description: 'Reads a file.', inputSchema: schemaOf({ path }) },
  {
    name: 'edit_file',
    description: 'Replaces a text that occurs once in a file.',
    inputSchema: schemaOf({ path, find: { type: 'string' }, replace: { type: 'string' } }),
  },
  {
    name: 'write_file',
    description: 'Writes a file.',
    inputSchema: schemaOf({ path, content: { type: 'string' } }),
  },
  {
    name: 'grep',
    description: 'Lines of files that match a pattern.',
    inputSchema: schemaOf({ pattern: { type: 'string' }, path }),
  },
  {
    name: 'bash',
    description: 'Runs a command.',
    inputSchema: schemaOf({ command: { type: 'string' } }),
  },
] as const

/** Ends in the middle of the last task. */
export function session(): Builder {
  return report(gateway(worker(zones(build()))))
}
