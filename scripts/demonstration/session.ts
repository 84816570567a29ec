/** A long coding session, made by rule: every turn asks, reads, edits, tests and answers. */
import type { MessageInput } from 'throughline'

const topics = [
  'invoices',
  'login',
  'search',
  'exports',
  'billing',
  'uploads',
  'reports',
  'webhooks',
]
const requests = [
  'is slow for large customers. Find out why.',
  'rounds the last cent away. It must never do that.',
  'should retry twice and then say what failed.',
  'needs a test for an empty list.',
]

export function turnOf(turn: number): readonly MessageInput[] {
  const topic = topics[turn % topics.length]
  const file = `src/${topic}/${topic}-${turn % 40}.ts`
  const call = (step: number, name: string, input: object): MessageInput => ({
    role: 'assistant',
    content: [{ type: 'tool-call', callId: `${turn}-${step}`, name, input }],
  })
  const result = (step: number, output: string): MessageInput => ({
    role: 'tool',
    content: [{ type: 'tool-result', callId: `${turn}-${step}`, output }],
  })
  return [
    { role: 'user', content: `The ${topic} code ${requests[turn % requests.length]}` },
    call(1, 'read_file', { path: file }),
    result(1, source(turn, topic ?? '')),
    call(2, 'edit_file', {
      path: file,
      find: `limit = ${turn % 90}`,
      replace: `limit = ${(turn % 90) + 1}`,
    }),
    result(2, `1 replacement in ${file}`),
    call(3, 'shell', { command: `npm test -- ${topic}` }),
    result(
      3,
      `Tests  ${(turn % 30) + 4} passed (${(turn % 30) + 4})\nDuration  ${(turn % 9) + 1}.${turn % 10} s`,
    ),
    { role: 'assistant', content: `Done: ${file} now uses the higher limit, and its tests pass.` },
  ]
}

function source(turn: number, topic: string): string {
  return Array.from(
    { length: 12 },
    (_, line) =>
      `${line + 1}  export const ${topic}${turn * 12 + line} = compute(${line * turn}, { limit: ${turn % 90} })`,
  ).join('\n')
}
