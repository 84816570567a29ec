/**
 * A turn memory in the slots of a context, within so much room. What it tells may stem from
 * tools, so each text is a block of data that it cannot leave, and none of it is ever the
 * system's word (invariants 14 and 15). Pure: same memory, same bytes.
 */
import type { ContextMessage, Omission } from '../../domain/context.ts'
import type { MemorySlot } from '../../domain/memory-slot.ts'
import { addSizes, noSize, type Size } from '../../domain/size.ts'
import type { MemoryReader, TurnMemory } from '../../domain/turn-memory.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'
import type { Meter } from '../measure/measure.ts'
import { blockWithin } from '../memory/block-within.ts'
import { type MemoryPiece, memoryPieces } from '../memory/memory-pieces.ts'
import { createBoundedCache } from '../text/bounded-cache.ts'
import { textPart } from '../text/sound-message.ts'
import { derived, type Filled } from './slots.ts'

/** A memory, and who reads it. */
export interface MemoryToTell {
  readonly memory: TurnMemory
  readonly reader: MemoryReader
  readonly rules: TurnRules
  /** Those that the policy has. */
  readonly slots: ReadonlySet<MemorySlot>
}

export interface FilledMemory extends Filled {
  readonly size: Size
}

export interface MemoryRoom {
  /** The most tokens, whatever its rules say. */
  readonly tokens: number
  /** Whether it has room as it is written too. */
  fits(size: Size): boolean
}

export const noMemory: FilledMemory = { messages: [], omitted: [], size: noSize }

export function fillMemory(
  { memory, reader, rules, slots }: MemoryToTell,
  { tokens, fits }: MemoryRoom,
  meter: Pick<Meter, 'text' | 'size'>,
): FilledMemory {
  const pieces = memoryPieces(memory, reader, rules).filter(({ slot }) => slots.has(slot))
  if (pieces.length === 0) return noMemory
  const most = reader === 'condensed' ? rules.condensedTokens : rules.fullTokens
  for (let attempt = 0, room = Math.min(most, tokens); attempt < attempts; attempt += 1) {
    const { told, omitted } = within(pieces, room, meter)
    const messages = messagesOf(told)
    const size = addSizes(messages.map((message) => meter.size(message)))
    if (messages.length > 0 && fits(size)) return { messages, omitted, size }
    // How much JSON adds is known only when it is written.
    room = Math.min(room, size.tokens) * less
  }
  return untold(noMemory)
}

const attempts = 8
const less = 0.7

/** Nothing of it is shown, and that is told. */
export function untold({ size }: Pick<FilledMemory, 'size'>): FilledMemory {
  const tokens = size.tokens === 0 ? null : size.tokens
  return { ...noMemory, omitted: [{ span: null, why: 'over-share', tokens }] }
}

interface ToldPiece extends Pick<MemoryPiece, 'slot' | 'place'> {
  /** Data blocks. */
  readonly texts: readonly string[]
}

function within(
  pieces: readonly MemoryPiece[],
  mostTokens: number,
  meter: Pick<Meter, 'text' | 'size'>,
): { readonly told: readonly ToldPiece[]; readonly omitted: readonly Omission[] } {
  const told: ToldPiece[] = []
  const omitted: Omission[] = []
  const begun = new Set<MemorySlot>()
  let room = mostTokens
  for (const { slot, place, share, blocks } of pieces) {
    const frame = begun.has(slot) ? 0 : meter.size(derived(slot, [])).tokens
    const given = Math.min(room, mostTokens * share)
    const texts: string[] = []
    let free = given - frame
    for (const block of blocks) {
      const made = blockWithin(block, free, meter.text)
      if (made.omittedTokens !== 0)
        omitted.push({ span: null, why: 'over-share', tokens: made.omittedTokens })
      if (made.text === null) continue
      free -= meter.text(made.text)
      texts.push(made.text)
    }
    if (texts.length > 0) {
      told.push({ slot, place, texts })
      room -= given - free
      // What is worth less does not stand there without it, unless it has no more than its share.
    } else if (given === room) room = 0
    begun.add(slot)
  }
  return { told, omitted }
}

/** A message for each slot, its blocks in their order. */
function messagesOf(told: readonly ToldPiece[]): readonly ContextMessage[] {
  return [...Map.groupBy(told, ({ slot }) => slot)].map(([slot, pieces]) => {
    const texts = pieces
      .toSorted((left, right) => left.place - right.place)
      .flatMap((piece) => piece.texts)
    // It is shown request after request, and its size is known by its parts.
    return remembered.get(JSON.stringify([slot, texts]), () => derived(slot, texts.map(textPart)))
  })
}

const remembered = createBoundedCache<ContextMessage>(64)
