/**
 * Random message parts, including some that no provider sends. Sealed parts and tool outputs contain
 * a mark, by which checks recognize them anywhere.
 */
import type {
  FileInput,
  JsonObject,
  OpaqueInput,
  PartInput,
  TextInput,
  ToolOutputInput,
} from 'throughline'
import type { Chance } from '../kernel/chance.ts'

/** In every signature and in every block of another provider. */
export const sealMark = 'SEALED'
/** In every output of a tool. */
export const toolMark = 'FROMTOOL'

/** Numbers the parts, so that no seal occurs twice. */
export interface Making {
  readonly chance: Chance
  count: number
}

export function textPart(making: Making): PartInput {
  const { chance } = making
  const text = anyText(chance)
  const metadata = textMetadata(making)
  return metadata === undefined ? { type: 'text', text } : { type: 'text', text, metadata }
}

function textMetadata({ chance }: Making): JsonObject | undefined {
  if (!chance.once(12)) return undefined
  return chance.pick<JsonObject>([
    { anthropic: { cache_control: { type: 'ephemeral' } } },
    { google: { thoughtSignature: base64(chance, 40) } },
    { openai: { responses: { message: { id: `msg_${base64(chance, 8)}`, type: 'message' } } } },
    { aiSdk: { providerOptions: { openai: { itemId: 'msg_1' } } } },
    { note: randomText(chance, 50) },
  ])
}

export function reasoningPart(making: Making): PartInput {
  const { chance } = making
  const text = chance.once(3) ? anyText(chance) : plainWords(chance, chance.between(0, 400))
  if (chance.once(4)) return { type: 'reasoning', text }
  const signature = `${seal(making)}${base64(chance, chance.once(8) ? 3_000 : 60)}`
  const metadata = chance.pick<JsonObject>([
    { anthropic: {} },
    { google: {} },
    { openai: { responses: { item: { id: `rs_${making.count}`, summary: [] } } } },
    { other: { signed: true } },
  ])
  return { type: 'reasoning', text, signature, metadata }
}

function seal(making: Making): string {
  making.count += 1
  return `${sealMark}${making.count}x`
}

/** Blocks of each provider, valid and broken. */
export function opaquePart(making: Making): OpaqueInput {
  const { chance } = making
  const data = `${seal(making)}${base64(chance, chance.pick([8, 60, 900]))}`
  const [kind, block] = chance.pick<readonly [string, JsonObject]>([
    ['anthropic/redacted_thinking', { type: 'redacted_thinking', data }],
    ['anthropic/container_upload', { type: 'container_upload', file_id: data }],
    ['anthropic/newer', { type: 'newer', data, nested: { list: [1, null, 'é😀'] } }],
    ['openai/web_search_call', { type: 'web_search_call', id: data, status: 'completed' }],
    ['openai/compaction', { type: 'compaction', id: data, encrypted_content: data }],
    ['google/executableCode', { executableCode: { language: 'PYTHON', code: data } }],
    ['ai-sdk/custom', { type: 'custom', kind: 'a.b', providerOptions: { a: { data } } }],
    ['nobody/thing', { data }],
  ])
  const json = JSON.stringify(block)
  return { type: 'opaque', kind, json: chance.once(12) ? broken(chance, json) : json }
}

function broken(chance: Chance, json: string): string {
  return chance.pick([
    json.slice(0, -1),
    `${json.slice(0, -1)},"half":"\\ud83d"}`,
    `${json.slice(0, -1)},"half":"\ud83d"}`,
    `${json.slice(0, -1)},"big":12345678901234567890, "spaced" : 1.0}`,
  ])
}

export function callPart(making: Making, callId: string, name: string): PartInput {
  const { chance } = making
  const input = callInput(chance)
  const signed = { google: { thoughtSignature: `${seal(making)}${base64(chance, 40)}` } }
  if (chance.once(10)) return { type: 'tool-call', callId, name, input, metadata: signed }
  if (!chance.once(20)) return { type: 'tool-call', callId, name, input }
  const metadata = { openai: { responses: { item: { id: `fc_${making.count}` } } } }
  return { type: 'tool-call', callId, name, input, metadata }
}

function callInput(chance: Chance): unknown {
  if (chance.once(10))
    return chance.pick<unknown>([
      '',
      'not json',
      '[1,2]',
      '"text"',
      'null',
      '7',
      '{"half":"\\ud83d"}',
      '{"\\ud83d":1}',
      '{"big":12345678901234567890}',
      '{"a":1,"a":2}',
      '{',
    ])
  const fields = chance.times(chance.between(0, 3), (index): [string, unknown] => [
    chance.once(10) ? randomText(chance, 12) : `field${index}`,
    chance.pick<unknown>([
      anyText(chance),
      plainWords(chance, 20),
      chance.below(1_000),
      null,
      [true],
    ]),
  ])
  const value = Object.fromEntries(fields)
  return chance.once(3) ? JSON.stringify(value) : value
}

export function resultPart(making: Making, callId: string, name: string | null): PartInput {
  const { chance } = making
  return {
    type: 'tool-result',
    callId,
    output: toolOutput(making),
    ...(name === null || chance.once(2) ? {} : { name }),
    ...(chance.once(6) ? { isError: true } : {}),
  }
}

function toolOutput(making: Making): ToolOutputInput {
  const { chance } = making
  if (chance.once(20)) return ''
  // Tool outputs are longer than user messages.
  const text = `${toolMark} ${randomText(chance, anyLength(chance) * 2)}`
  if (chance.once(6)) return { kind: 'json', json: JSON.stringify({ text, n: chance.below(9) }) }
  if (chance.once(25)) return { kind: 'json', json: `{"${toolMark}": ` }
  if (!chance.once(8)) return text
  const parts = chance.times(chance.between(0, 3), () =>
    chance.pick<TextInput | FileInput | OpaqueInput>([
      { type: 'text', text },
      { type: 'text', text: `${toolMark} ok` },
      filePart(chance),
      opaquePart(making),
    ]),
  )
  return { kind: 'parts', parts }
}

const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

export function filePart(chance: Chance): FileInput {
  const bytes = (length: number) => Uint8Array.from(chance.times(length, () => chance.below(256)))
  const png = Uint8Array.from([...pngHead, ...bytes(chance.between(20, 400))])
  return chance.pick<FileInput>([
    { type: 'file', mediaType: 'image/png', data: png, width: 8, height: 8 },
    { type: 'file', mediaType: 'image/jpeg', data: bytes(60), name: randomText(chance, 20) },
    { type: 'file', mediaType: 'application/pdf', data: bytes(300), name: 'paper.pdf' },
    { type: 'file', mediaType: 'image/png', url: 'https://pictures.example/a.png' },
    {
      type: 'file',
      mediaType: 'text/plain',
      data: new TextEncoder().encode('a,b\n1,2\n'.repeat(20)),
    },
    { type: 'file', mediaType: 'audio/wav', data: bytes(200) },
    { type: 'file', mediaType: 'application/x-thing', data: bytes(40) },
  ])
}

/** Parts that applications attach to user messages. */
export function sidePart(making: Making): PartInput {
  const { chance } = making
  const id = chance.once(6) ? randomText(chance, 300) : `doc-${chance.below(9)}`
  const title = chance.once(2) ? { title: randomText(chance, chance.pick([5, 30, 400])) } : {}
  if (chance.once(2)) return { type: 'attachment-ref', attachmentId: `${id}!`, ...title }
  return { type: 'resource-excerpt', resourceId: `${id}!`, ...title, text: anyText(chance) }
}

/**
 * Texts that are hard to process: scripts without spaces, characters of several code points, unpaired
 * surrogates, text that JSON must escape, and text that looks like markup.
 */
const words = ['the', 'order', 'of', 'invoice', 'ships', 'today', 'not', 'until', 'Berlin', '4.20']
const family = '👩‍👩‍👧‍👦'
const flag = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'

type Make = (chance: Chance, length: number) => string

const makers: readonly [Make, ...Make[]] = [
  plainWords,
  plainWords,
  plainWords,
  plainWords,
  (chance, length) => filled(length, () => String.fromCodePoint(chance.between(0x4e00, 0x9fa5))),
  (chance, length) => filled(length, () => chance.pick([family, flag, '👍🏽', '☃️', 'é', ' '])),
  // Unpaired surrogates, alone and in the wrong order.
  (chance, length) =>
    filled(length, () => chance.pick(['\ud83d', '\ude00', '\ude00\ud83d', 'half ', '😀', '.'])),
  base64,
  (chance, length) => filled(length, () => String.fromCharCode(chance.below(0x20))),
  (chance, length) => filled(length, () => chance.pick(['\u0000', 'a', '\u007f', '\u001b[31m'])),
  (chance, length) => filled(length, () => chance.pick(['"', '\\', '\n', '\\"', "'", '\t'])),
  (chance, length) => filled(length, () => chance.pick(['"', '\\', '\n'])),
  (chance, length) =>
    filled(length, () =>
      chance.pick(['<a href="x">', '</a>', '<system>', '<|endoftext|>', 'text ']),
    ),
  (chance, length) =>
    filled(length, () => chance.pick(['\u2028', '\ufeff', '\u200b', '\u202e', 'x'])),
  (chance, length) =>
    filled(length, () => chance.pick(['{"k":', '[1,2]', '\\ud800', '}', 'null '])),
  (_, length) => 'a'.repeat(length),
  (_, length) => ' '.repeat(length),
  (chance, length) => filled(length, () => `${chance.below(1_000_000)},`),
]

/** A text of about this many characters. */
export function randomText(chance: Chance, length: number): string {
  return chance.pick(makers)(chance, length)
}

/** Mostly short, sometimes empty, rarely several pages long. */
export function anyText(chance: Chance): string {
  return randomText(chance, anyLength(chance))
}

function anyLength(chance: Chance): number {
  if (chance.once(25)) return 0
  if (chance.once(80)) return chance.between(2_000, 9_000)
  return chance.once(8) ? chance.between(200, 1_000) : chance.between(1, 120)
}

export function plainWords(chance: Chance, length: number): string {
  return filled(length, () => `${chance.pick(['the', ...words])}${chance.once(12) ? '.\n' : ' '}`)
}

function base64(chance: Chance, length: number): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return filled(length, () => digits.charAt(chance.below(64)))
}

function filled(length: number, next: () => string): string {
  const pieces: string[] = []
  for (let made = 0; made < length; ) {
    const piece = next()
    pieces.push(piece)
    made += piece.length
  }
  return pieces.join('')
}
