/** The parts of a stream, gathered into the content of the reply that they make. */
import type { Fields } from '../adapters/unknown-json.ts'
import { type ContentPart, fieldsOfPart, type StreamPart } from './call.ts'

export interface GatheredReply {
  readonly content: readonly ContentPart[]
  /** What the provider reported; null as long as the stream has not come to its end. */
  readonly usage: object | null
}

interface Block {
  readonly type: 'text' | 'reasoning'
  text: string
  providerMetadata: unknown
}

const wholeParts: ReadonlySet<string> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'file',
  'reasoning-file',
  'custom',
])

export function gatherReply(): {
  take(part: StreamPart): void
  reply(): GatheredReply
} {
  // In the order in which blocks began.
  const content: (Block | ContentPart)[] = []
  const blocks = new Map<unknown, Block>()
  let usage: object | null = null
  return {
    take(part) {
      const fields = fieldsOfPart(part)
      const [type, step] = splitType(part.type)
      if (type !== null) {
        const key = `${type} ${fields['id']}`
        const block = step === 'start' ? undefined : blocks.get(key)
        const open: Block = block ?? { type, text: '', providerMetadata: undefined }
        if (block === undefined) content.push(open)
        blocks.set(key, open)
        addTo(open, fields)
      } else if (wholeParts.has(part.type)) content.push(part)
      else if (part.type === 'finish') usage = { ...(fields['usage'] as object) }
    },
    reply: () => ({ content: content.map(withoutUndefined), usage }),
  }
}

function splitType(type: string): readonly ['text' | 'reasoning' | null, string] {
  const [, kind, step = ''] = /^(text|reasoning)-(start|delta|end)$/.exec(type) ?? []
  return [kind === 'text' || kind === 'reasoning' ? kind : null, step]
}

/** The newest metadata holds: seals come with the end of a block. */
function addTo(block: Block, { delta, providerMetadata }: Fields): void {
  if (typeof delta === 'string') block.text += delta
  block.providerMetadata = providerMetadata ?? block.providerMetadata
}

function withoutUndefined(part: Block | ContentPart): ContentPart {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== undefined),
  ) as unknown as ContentPart
}
