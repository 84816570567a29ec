/** Messages as long as one compaction may process: from transcripts, or generated from seeds. */
import type { Message, MessageInput, Meter } from 'throughline'
import { sha256 } from 'throughline/stores'
import { seededRandom } from '../../harness/kernel/chance.ts'
import { sealMessages } from '../../packages/throughline/src/flow/append/append.ts'
import { corpusKinds } from '../corpus-kinds.ts'
import { readConversations } from '../read-conversations.ts'
import type { BenchOptions } from '../report.ts'
import { transcriptFiles } from '../transcript-files.ts'
import { turnMessages } from '../turn/messages.ts'

export interface Slice {
  readonly tokens: number
  readonly inputs: readonly MessageInput[]
  readonly messages: readonly Message[]
}

/** By source; short conversations are joined in one slice. */
export async function transcriptSlices(
  { dataDir, progress }: { readonly dataDir: string; readonly progress: BenchOptions['progress'] },
  meter: Meter,
  limits: SliceLimits,
): Promise<ReadonlyMap<string, readonly Slice[]>> {
  const sources = new Map<string, MessageInput[]>()
  for (const file of transcriptFiles(dataDir, progress)) {
    const messages = sources.get(file.source) ?? []
    for (const conversation of await readConversations(file.items()))
      messages.push(...conversation.messages)
    if (messages.length > 0) sources.set(file.source, messages)
  }
  return new Map(
    [...sources].map(([source, messages]) => [source, slicesOf(messages, meter, limits)]),
  )
}

export interface SliceLimits {
  readonly tokens: number
  readonly slices: number
}

function slicesOf(
  messages: Iterable<MessageInput>,
  meter: Meter,
  limits: SliceLimits,
): readonly Slice[] {
  const slices: Slice[] = []
  let inputs: MessageInput[] = []
  let tokens = 0
  const close = () => {
    if (inputs.length > 0) slices.push({ tokens, inputs, messages: sealMessages(inputs, sha256) })
    inputs = []
    tokens = 0
  }
  for (const input of messages) {
    const size = sealMessages([input], sha256).reduce(
      (sum, message) => sum + meter.message(message),
      0,
    )
    if (tokens + size > limits.tokens) close()
    if (slices.length >= limits.slices) return slices
    if (size > limits.tokens) continue
    inputs.push(input)
    tokens += size
  }
  close()
  return slices
}

export function generatedSlices(
  meter: Meter,
  limits: SliceLimits,
): ReadonlyMap<string, readonly Slice[]> {
  return new Map(
    Object.entries(shapes).map(([source, shape]) => [
      source,
      slicesOf(endless(shape), meter, { ...limits, slices: 1 }),
    ]),
  )
}

type Shape = (turn: number) => readonly MessageInput[]

function* endless(shape: Shape): Generator<MessageInput> {
  for (let turn = 0; ; turn += 1) yield* shape(turn)
}

/** Shapes of conversations: short user messages, long answers, files, records. */
const shapes: Readonly<Record<string, Shape>> = {
  'generated talk': (turn) => [{ role: 'user', content: text('english', turn, 120) }],
  'generated chat': (turn) => [
    { role: 'user', content: text('english technical', turn, 200) },
    { role: 'assistant', content: text('markdown', turn, 1_500) },
  ],
  'generated chat in Chinese': (turn) => [
    { role: 'user', content: text('chinese', turn, 60) },
    { role: 'assistant', content: text('chinese', -turn, 200) },
  ],
  'generated files': turnMessages,
  'generated code': (turn) => calling(turn, text('code', turn, 4_000)),
  'generated logs': (turn) => calling(turn, text('logs', turn, 4_000)),
  'generated records': (turn) => calling(turn, text('json', turn, 800)),
}

function text(kind: keyof typeof corpusKinds, turn: number, length: number): string {
  return corpusKinds[kind](seededRandom(`${kind} ${turn}`), length)
}

function calling(turn: number, output: string): readonly MessageInput[] {
  const callId = `call-${turn}`
  const input = { command: `run --part ${turn} src/part-${turn % 40}.ts` }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'bash', input }] },
    { role: 'tool', content: [{ type: 'tool-result', callId, output }] },
  ]
}
