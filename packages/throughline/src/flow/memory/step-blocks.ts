/** Steps of an agent as blocks: a line for each, and the results of the last ones whole. */
import type { JsonValue } from '../../domain/json.ts'
import type { TurnMemory } from '../../domain/turn-memory.ts'
import type { StepDigest } from '../../domain/turn-record.ts'
import { cutText } from '../text/cut-text.ts'
import { oneLine } from '../text/one-line.ts'
import { shortName } from './entity-lines.ts'
import { lineBlock, type MemoryBlock, textBlock } from './memory-block.ts'

export function stepLines({ steps, stepDigests }: TurnMemory): MemoryBlock {
  const lines = [...stepDigests, ...steps].map(stepText)
  return lineBlock('steps: turn.step, what came of it', lines, { leaves: 'first' })
}

/** Oldest first. */
export function resultBlocks({ steps }: TurnMemory): readonly MemoryBlock[] {
  return steps.map((step) =>
    textBlock(
      `result of step ${stepKey(step)}: ${oneLine(step.description)}`,
      jsonText(step.result),
    ),
  )
}

function stepText(step: StepDigest): string {
  const { status, recordCount, entityIds, description, outcome } = step
  const ids = entityIds.slice(0, idsMost).map(shortName)
  const more = entityIds.length > ids.length ? [`and ${entityIds.length - ids.length} more`] : []
  const facts = [
    status,
    ...(recordCount === null ? [] : [recordCount === 1 ? '1 record' : `${recordCount} records`]),
    ...(ids.length === 0 ? [] : [[...ids, ...more].join(' ')]),
  ]
  const told = [description, outcome].filter((text) => text !== '').map(oneOutcome)
  return `${stepKey(step)} ${facts.join(', ')}: ${told.join(' → ')}`
}

const idsMost = 5

/** Steps of different turns have the same numbers. */
function stepKey({ turn, step }: StepDigest): string {
  return `${turn}.${step}`
}

function oneOutcome(text: string): string {
  return cutText(oneLine(text), outcomeCharacters)
}

const outcomeCharacters = 400

function jsonText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
