/** Made-up secrets of sixty forms and more, and the places of a message that they can be in. */
import type { MessageInput, PartInput, ToolOutputInput } from 'throughline'
import { redactSecrets } from '../../packages/throughline/src/extract/redact-secrets.ts'
import {
  placedFormats,
  type SecretSample,
  standingFormats,
} from '../../packages/throughline/src/extract/secrets/secret-samples.test-support.ts'
import { type Random, seededRandom } from '../kernel/chance.ts'

export interface PlantedSecret extends SecretSample {
  readonly name: string
}

/** One of each form; those that no rule knows by their value are counted apart. */
export function plantedSecrets(seed: string): {
  readonly known: readonly PlantedSecret[]
  readonly missed: readonly PlantedSecret[]
} {
  const random = seededRandom(seed)
  const all = [...standingFormats, ...placedFormats].map(
    ({ name, draw }): PlantedSecret => ({ name, ...draw(random) }),
  )
  const isMissed = ({ text, value }: PlantedSecret) =>
    holds(redactSecrets(`first line\n${text}\nlast line`).text, value)
  return { known: all.filter((each) => !isMissed(each)), missed: all.filter(isMissed) }
}

/** Whether a text holds a secret or the end of one, also as JSON writes it. */
export function holds(text: string, value: string): boolean {
  const [line = ''] = value.split(/\n|\\n/)
  return line.length > 14
    ? text.includes(line.slice(0, 14)) || text.includes(line.slice(-12))
    : text.includes(line)
}

type Plant = (text: string, id: string) => readonly MessageInput[]

const asks: MessageInput = { role: 'user', content: 'Please go on with that.' }

/** The boundaries on the way into everything that is derived. */
export const boundaries: Readonly<Record<string, Plant>> = {
  'text of a user': (text) => [{ role: 'user', content: `first line\n${text}\nlast line` }],
  'text of an assistant': (text) => [
    asks,
    { role: 'assistant', content: `It is:\n${text}\nDone.` },
  ],
  reasoning: (text) => [
    asks,
    { role: 'assistant', content: [{ type: 'reasoning', text: `first line\n${text}` }] },
  ],
  'arguments of a call': (text, id) => used(id, { command: `cd /app\n${text}\nls` }, 'ok'),
  'nested arguments': (text, id) =>
    used(id, { args: JSON.stringify({ script: `a\n${text}\n` }) }, 'ok'),
  'text of a result': (text, id) => used(id, { path: '.env' }, `first line\n${text}\nlast line`),
  'JSON of a result': (text, id) =>
    used(id, {}, { kind: 'json', json: JSON.stringify({ stdout: `first line\n${text}\n` }) }),
  'parts of a result': (text, id) =>
    used(id, {}, { kind: 'parts', parts: [{ type: 'text', text: `first line\n${text}\n` }] }),
  'error of a result': (text, id) => used(id, { command: 'run' }, `Error: failed\n${text}\n`, true),
  'text of an excerpt': (text) => [
    by({ type: 'resource-excerpt', resourceId: 'r', title: 'notes', text: `a line\n${text}\n` }),
  ],
  'an unknown block': (text) => [
    by({ type: 'opaque', kind: 'nobody/thing', json: JSON.stringify({ text: `a\n${text}\n` }) }),
  ],
}

function by(part: PartInput): MessageInput {
  return { role: 'user', content: [{ type: 'text', text: 'Look at this.' }, part] }
}

function used(id: string, input: object, output: ToolOutputInput, isError = false) {
  const call = { callId: id, name: 'bash' } as const
  return [
    asks,
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output, isError }] },
  ] satisfies readonly MessageInput[]
}

export function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, order: random(1_000_000) }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item)
}
