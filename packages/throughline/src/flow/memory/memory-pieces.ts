/**
 * What a turn memory says, in blocks: the most worth first, so that what has no room is what is
 * missed least. Who routes or plans gets it condensed; who acts, in full. Pure.
 */
import type { MemorySlot } from '../../domain/memory-slot.ts'
import type { PendingDecision } from '../../domain/pending-decision.ts'
import type { MemoryReader, TurnMemory } from '../../domain/turn-memory.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'
import { oneLine } from '../text/one-line.ts'
import { entityBlock, entityText } from './entity-lines.ts'
import { lineBlock, type MemoryBlock, textBlock } from './memory-block.ts'
import { resultBlocks, stepLines } from './step-blocks.ts'
import { historyBlock, turnBlocks, turnsFor } from './turn-blocks.ts'

/** Blocks that stand together in a slot. */
export interface MemoryPiece {
  readonly slot: MemorySlot
  /** In its slot, ascending. */
  readonly place: number
  /** The most that it has of all the room that there is for the memory. */
  readonly share: number
  readonly blocks: readonly MemoryBlock[]
}

/** What there is nothing of is left out. */
export function memoryPieces(
  memory: TurnMemory,
  reader: MemoryReader,
  rules: TurnRules,
): readonly MemoryPiece[] {
  const { shown, before } = turnsFor(memory, reader)
  const turns = shown
    .toReversed()
    .map((turn) => piece('turns', turn.turn, ...turnBlocks(turn, memory, reader, rules)))
  const pieces: readonly MemoryPiece[] = [
    piece('theme', 0, textBlock('what this conversation is about', memory.theme?.text ?? '')),
    piece('pending', 0, ...pendingBlocks(memory, rules)),
    ...turns.slice(0, 1),
    { ...piece('entities', 0, entityBlock(memory, reader, rules)), share: entityShare },
    ...turns.slice(1),
    piece('history', 0, historyBlock(memory, before)),
    ...(reader === 'condensed' ? [] : stepPieces(memory)),
  ]
  return pieces
    .map((each) => ({ ...each, blocks: each.blocks.filter(saysAnything) }))
    .filter(({ blocks }) => blocks.length > 0)
}

// There may be thousands, and none of them says what the conversation has come to.
const entityShare = 0.3

function piece(slot: MemorySlot, place: number, ...blocks: readonly MemoryBlock[]): MemoryPiece {
  return { slot, place, share: 1, blocks }
}

function saysAnything(block: MemoryBlock): boolean {
  return block.kind === 'text' ? block.text !== '' : block.lines.length > 0
}

function pendingBlocks(
  { pending, entities }: TurnMemory,
  { entitiesPerType }: TurnRules,
): readonly MemoryBlock[] {
  if (pending === null) return []
  const { kind, turn, goal, proposal, questions, assumptions, partialPlan, entityIds } = pending
  const ids = new Set(entityIds)
  const waitingWith = entities.filter(({ id }) => ids.has(id))
  const named = waitingWith.slice(0, entitiesPerType)
  const unnamed = waitingWith.length - named.length
  const lines = [
    waiting[kind],
    ...(goal === '' ? [] : [`goal: ${oneLine(goal)}`]),
    ...questions.map((question) => `asked: ${oneLine(question)}`),
    ...assumptions.map((assumption) => `assumed: ${oneLine(assumption)}`),
    ...partialPlan.map((step) => `planned: ${oneLine(step)}`),
    ...named.map((entity) => `waits with it: ${entityText(entity, [])}`),
    ...(unnamed === 0 ? [] : [`waits with it: … ${unnamed} more`]),
  ]
  return [
    lineBlock(`pending since turn ${turn}`, lines),
    textBlock('the proposal, word for word', proposal ?? ''),
  ]
}

/** Whoever reads it must not take for done what was only proposed. */
const waiting: Readonly<Record<PendingDecision['kind'], string>> = {
  propose: 'The assistant has proposed this and waits for the user to confirm it: nothing is done.',
  clarify: 'The assistant has asked this and waits for the user to answer: nothing is done.',
}

/** A line for each, also for those whose results follow: these may have no room. */
function stepPieces(memory: TurnMemory): readonly MemoryPiece[] {
  const results = resultBlocks(memory)
  return [
    piece('steps', 0, stepLines(memory)),
    ...results.map((block, at) => piece('steps', at + 1, block)).reverse(),
  ]
}
