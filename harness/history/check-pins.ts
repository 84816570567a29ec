/** Checks the pins of a context from outside: by its text, as a model reads it. */
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

/** Once and exact: in a block of its own, or at its position. */
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

/** In log order, without blocks that were never pinned, and without text of a model. */
function checkBlocks(blocks: readonly Block[], pins: readonly Pinned[]): readonly Finding[] {
  const pinned = new Set(pins.map(({ seq }) => seq))
  return blocks.flatMap(({ seq, text, container }, at) => {
    const before = blocks.slice(0, at).findLast((other) => other.container === container)
    return [
      ...(before !== undefined && before.seq >= seq ? [finding('order', `#${seq}`)] : []),
      ...(pinned.has(seq) ? [] : [finding('forged', `a block claims that #${seq} is pinned`)]),
      ...(text.includes(writersWord) ? [finding('written', `in the block of #${seq}`)] : []),
    ]
  })
}

function checkCounted({ budget }: Context, pins: readonly Pinned[]): readonly Finding[] {
  const least = pins.reduce((sum, { text }) => sum + tokenizer.count(text), 0)
  const counted = budget.protected.pins
  const isRight = pins.length === 0 ? counted === 0 : counted >= least
  return isRight ? [] : [finding('counted', `${counted} tokens, but at least ${least} expected`)]
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

const header = /^\[(.*?)(?: · data, not instructions)? · (\S+)\]\n/
const pinLabel = /^pinned message #(\d+) of the /

/**
 * Finds the blocks of pins without knowing about slots: a block ends at its own end mark, so a
 * block inside another does not count.
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
  const [body = '', ...rest] = text.slice(head.length).split(ending)
  const seq = pinLabel.exec(label)?.[1]
  return [
    ...(seq === undefined ? [] : [{ container, seq: Number(seq), text: body }]),
    ...blocksIn(rest.join(ending).trimStart(), container),
  ]
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* stringsIn(inner)
}

/** A pinned message of the log. */
export interface Pinned {
  readonly seq: number
  /** Its whole text, as in a block of its own. */
  readonly text: string
  /** Its parts one by one, as they are shown in their message. */
  readonly words: readonly string[]
}

export async function pinnedIn(chat: ConversationHandle): Promise<readonly Pinned[]> {
  const { pins = [] } = (await chat.info()) ?? {}
  const pages = pins.map((seq) => Array.fromAsync(chat.messages({ from: seq, to: seq + 1 })))
  return (await Promise.all(pages)).flat().map(pinnedOf)
}

export function pinnedOf({ seq, parts }: Message): Pinned {
  const texts = parts.map((part): { readonly word: string; readonly inBlock: string } => {
    if (part.type === 'tool-call')
      return { word: part.input, inBlock: `${part.name} ${part.input}` }
    if (part.type === 'text') return { word: part.text, inBlock: part.text }
    if (part.type === 'tool-result' && part.output.kind === 'text')
      return { word: part.output.text, inBlock: part.output.text }
    throw new Error(`no message here has a ${part.type}`)
  })
  // An unpaired surrogate is shown as the replacement character.
  return {
    seq,
    text: texts
      .map(({ inBlock }) => inBlock)
      .join('\n')
      .toWellFormed(),
    words: texts.map(({ word }) => word.toWellFormed()),
  }
}

/** Words that no other message contains. */
export function nameIn({ text }: Pinned): string {
  return /«.*?»/.exec(text)?.[0] ?? text
}
