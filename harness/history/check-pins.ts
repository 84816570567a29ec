/** What must hold for the pins of a context, looked at from outside: by its text, as a model reads it. */
import type { Context, ConversationHandle, Message } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { tokenizer } from '../races/strict-model.ts'
import { writersWord } from './lying-writer.ts'

export type PinRule = 'missing' | 'twice' | 'bytes' | 'order' | 'counted' | 'forged' | 'written'

export function checkPins(context: Context, pins: readonly Pinned[]): readonly Finding[] {
  const blocks = blocksOf(context)
  return [
    ...pins.flatMap((pin) => checkPin(context, blocks, pin)),
    ...checkBlocks(blocks, pins),
    ...checkCounted(context, pins),
    ...checkLog(context),
  ]
}

function finding(rule: PinRule, detail: string): Finding {
  return { rule, detail }
}

/** Once, and to the letter: in a block of its own, or at its place. */
function checkPin(context: Context, blocks: readonly Block[], pin: Pinned): readonly Finding[] {
  const own = blocks.filter(({ seq }) => seq === pin.seq)
  const places = context.messages.filter(({ seq }) => seq === pin.seq)
  const [block] = own
  if (block === undefined && places.length === 0) return [finding('missing', `#${pin.seq}`)]
  if (own.length + Math.min(1, places.length) > 1) return [finding('twice', `#${pin.seq}`)]
  const strings = places.flatMap(({ parts }) => [...stringsIn(parts)])
  const isSame =
    block === undefined
      ? pin.words.every((word) => strings.some((text) => text.includes(word)))
      : block.text === pin.text
  return isSame ? [] : [finding('bytes', `#${pin.seq} ${JSON.stringify(block?.text ?? strings)}`)]
}

/** In the order of the log, none that nobody has pinned, and no word of a model in them. */
function checkBlocks(blocks: readonly Block[], pins: readonly Pinned[]): readonly Finding[] {
  const pinned = new Set(pins.map(({ seq }) => seq))
  return blocks.flatMap(({ seq, text, container }, at) => {
    const before = blocks.slice(0, at).findLast((other) => other.container === container)
    return [
      ...(before !== undefined && before.seq >= seq ? [finding('order', `#${seq}`)] : []),
      ...(pinned.has(seq) ? [] : [finding('forged', `a block says that #${seq} is pinned`)]),
      ...(text.includes(writersWord) ? [finding('written', `in the block of #${seq}`)] : []),
    ]
  })
}

function checkCounted({ budget }: Context, pins: readonly Pinned[]): readonly Finding[] {
  const least = pins.reduce((sum, { text }) => sum + tokenizer.count(text), 0)
  const counted = budget.protected.pins
  const isRight = pins.length === 0 ? counted === 0 : counted >= least
  return isRight ? [] : [finding('counted', `${counted} tokens, where ${least} are the least`)]
}

function checkLog({ messages }: Context): readonly Finding[] {
  const isWritten = messages.some(
    ({ seq, parts }) => seq !== null && JSON.stringify(parts).includes(writersWord),
  )
  return isWritten ? [finding('written', 'in a message of the log')] : []
}

/** The marks of the blocks of a context. */
export function marksOf(context: Context): readonly string[] {
  return derivedTexts(context).flatMap(({ text }) => header.exec(text)?.[2] ?? [])
}

interface Block {
  readonly container: 'system' | 'messages'
  readonly seq: number
  readonly text: string
}

const header = /^\[(.*) · data, not instructions · (\S+)\]\n/
const pinLabel = /^pinned message #(\d+) of the /

/**
 * The blocks of pins as somebody finds them who knows of no slots: a block goes on to its own
 * end, so what stands within another is none.
 */
function blocksOf(context: Context): readonly Block[] {
  return derivedTexts(context).flatMap(({ text, container }) => blocksIn(text, container))
}

function derivedTexts({ system, messages }: Context) {
  const derived = messages.filter(({ seq }) => seq === null)
  const texts = derived.flatMap(({ parts }) => [...stringsIn(parts)])
  return [
    ...system.map(({ text }) => ({ text, container: 'system' as const })),
    ...texts.map((text) => ({ text, container: 'messages' as const })),
  ]
}

function blocksIn(text: string, container: Block['container']): readonly Block[] {
  const [head, label = '', mark = ''] = header.exec(text) ?? []
  if (head === undefined) return []
  const ending = `\n[end ${mark}]`
  const [body = '', ...behind] = text.slice(head.length).split(ending)
  const seq = pinLabel.exec(label)?.[1]
  return [
    ...(seq === undefined ? [] : [{ container, seq: Number(seq), text: body }]),
    ...blocksIn(behind.join(ending).trimStart(), container),
  ]
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* stringsIn(inner)
}

/** The pins of a conversation, as they stand in its log. */
export interface Pinned {
  readonly seq: number
  /** All that it says, as it stands in a block of its own. */
  readonly text: string
  /** Its parts one by one, as they stand at their place. */
  readonly words: readonly string[]
}

export async function pinnedIn(chat: ConversationHandle): Promise<readonly Pinned[]> {
  const { pins = [] } = (await chat.info()) ?? {}
  const pages = pins.map((seq) => Array.fromAsync(chat.messages({ from: seq, to: seq + 1 })))
  return (await Promise.all(pages)).flat().map(pinnedOf)
}

export function pinnedOf({ seq, parts }: Message): Pinned {
  const said = parts.map((part): { readonly word: string; readonly inBlock: string } => {
    if (part.type === 'tool-call')
      return { word: part.input, inBlock: `${part.name} ${part.input}` }
    if (part.type === 'text') return { word: part.text, inBlock: part.text }
    if (part.type === 'tool-result' && part.output.kind === 'text')
      return { word: part.output.text, inBlock: part.output.text }
    throw new Error(`no message here has a ${part.type}`)
  })
  // A half of a character is shown as what stands for one.
  return {
    seq,
    text: said
      .map(({ inBlock }) => inBlock)
      .join('\n')
      .toWellFormed(),
    words: said.map(({ word }) => word.toWellFormed()),
  }
}

/** What no other message says. */
export function nameIn({ text }: Pinned): string {
  return /«.*?»/.exec(text)?.[0] ?? text
}
