/** Sealed parts, which are signed reasoning and unknown blocks, are sent unchanged or not at all. */
import { isDeepStrictEqual } from 'node:util'
import type { Context, MessageInput, PartInput } from 'throughline'
import { type Fields, isObject, textsIn, walk } from './check-text.ts'
import { sealMark } from './random-parts.ts'
import { type Violation, violation } from './tally.ts'

export interface Seals {
  /** Signature and text of each signed reasoning part. */
  readonly thoughts: ReadonlySet<string>
  readonly blocks: ReadonlySet<string>
  /** Each marked string by its mark. */
  readonly marked: ReadonlyMap<string, string>
  readonly textOf: ReadonlyMap<string, string>
  readonly parsed: readonly ParsedBlock[]
}

interface ParsedBlock {
  readonly block: Fields
  /** The field that contains the mark. */
  readonly field: string
}

export function sealsOf(messages: readonly MessageInput[]): Seals {
  const parts = messages.flatMap(({ content }) => partsOf(content))
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  const blocks = parts.flatMap(blocksIn)
  return {
    thoughts: new Set(thoughts.map(({ signature, text }) => `${signature}\n${text}`)),
    blocks: new Set(blocks),
    marked: new Map(markedStrings(parts).map((text) => [text.match(markPattern)?.[0] ?? '', text])),
    textOf: new Map(
      thoughts.flatMap(({ signature, text }): [string, string][] =>
        signature === undefined ? [] : [[signature, text]],
      ),
    ),
    parsed: blocks.flatMap(parsedBlock),
  }
}

function partsOf(content: MessageInput['content']): readonly PartInput[] {
  return typeof content === 'string' ? [] : content
}

function blocksIn(part: PartInput): readonly string[] {
  if (part.type === 'opaque') return [part.json]
  if (part.type !== 'tool-result' || typeof part.output === 'string') return []
  return part.output.kind === 'parts' ? part.output.parts.flatMap(blocksIn) : []
}

const markPattern = new RegExp(`${sealMark}\\d+x`)
const allMarks = new RegExp(`${sealMark}\\d+x`, 'g')

function markedStrings(parts: readonly PartInput[]): readonly string[] {
  const own = parts.flatMap((part) => [...textsIn(part)])
  const inBlocks = parts.flatMap(blocksIn).flatMap((json) => [...textsIn(readJson(json))])
  // A block also contains its mark; a seal has no braces.
  return [...own, ...inBlocks].filter((text) => text.startsWith(sealMark))
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parsedBlock(json: string): readonly ParsedBlock[] {
  const block = readJson(json)
  if (!isObject(block)) return []
  const field = Object.keys(block).find((key) => markPattern.test(textOf(block[key])))
  return field === undefined ? [] : [{ block, field }]
}

export function checkSealedContext(
  { messages }: Pick<Context, 'messages'>,
  seals: Seals,
): readonly Violation[] {
  return messages.flatMap(({ parts, seq }) =>
    parts.flatMap((part): readonly Violation[] => {
      if (part.type === 'reasoning' && part.signature !== null)
        return seals.thoughts.has(`${part.signature}\n${part.text}`)
          ? []
          : [violation('sealed', `context: signed reasoning of #${seq} was changed`)]
      const output =
        part.type === 'tool-result' && part.output.kind === 'parts' ? part.output.parts : []
      const blocks = [part, ...output].filter((one) => one.type === 'opaque')
      return blocks
        .filter(({ json }) => !seals.blocks.has(json))
        .map(() => violation('sealed', `context: a block of #${seq} was changed`))
    }),
  )
}

export function checkSealedRequest(request: object, seals: Seals): readonly Violation[] {
  if (seals.marked.size === 0) return []
  const found: Violation[] = []
  for (const { value } of walk(request)) {
    if (typeof value === 'string') found.push(...tornSeals(value, seals))
    else if (isObject(value))
      found.push(...changedThought(value, seals), ...changedBlock(value, seals))
  }
  return found
}

function tornSeals(text: string, { marked }: Seals): readonly Violation[] {
  if (!text.includes(sealMark)) return []
  return [...text.matchAll(allMarks)]
    .filter(([mark]) => !text.includes(marked.get(mark) ?? mark))
    .map(([mark]) => violation('sealed', `a part of the seal ${mark} in a text`))
}

/** The reasoning next to its signature. */
function changedThought(block: Fields, { textOf }: Seals): readonly Violation[] {
  const { signature, thinking } = block
  if (typeof signature !== 'string' || typeof thinking !== 'string') return []
  const same = textOf.get(signature) === thinking
  return same ? [] : [violation('sealed', `thinking under ${signature.slice(0, 16)} was changed`)]
}

function changedBlock(sent: Fields, { parsed }: Seals): readonly Violation[] {
  return parsed
    .filter(({ block, field }) => isDeepStrictEqual(sent[field], block[field]))
    .filter(({ block }) => block['type'] === undefined || block['type'] === sent['type'])
    .filter(({ block }) => !isDeepStrictEqual(sent, block))
    .map(({ block }) =>
      violation('sealed', `a block ${JSON.stringify(block).slice(0, 80)} was changed`),
    )
}
