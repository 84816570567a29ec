/** Renders a turn memory into slots and reads its blocks, for tests. */
import type { Part } from '../domain/message.ts'
import { completeCard } from '../domain/model-card.ts'
import { type TurnKnowledge, type TurnRecord, turnSlots } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { fillExtension } from '../flow/assemble/extension-slots.ts'
import type { FilledExtension } from '../flow/assemble/slots.ts'
import { createMeter } from '../flow/measure/measure.ts'
import type { MemoryReader } from '../ports/context-extension.ts'
import { memoryContent } from './memory-blocks.ts'
import { buildMemory } from './turn-context.ts'
import { recordsOf, type stepRecord } from './turn-records.test-support.ts'

/** A token is four characters. */
const tokenizer = {
  id: 'fours/1',
  exact: true,
  count: (text: string) => Math.ceil(text.length / 4),
}
const card = completeCard({ id: 'house-model', contextWindowTokens: 200_000 })
export const meter = createMeter({ card, tokenizer })
export const words = (tokens: number) => 'abc '.repeat(tokens).trim()

export interface Given {
  readonly turns?: number
  readonly knows?: Partial<TurnKnowledge>
  readonly changes?: (turn: number) => Partial<TurnRecord>
  readonly steps?: readonly ReturnType<typeof stepRecord>[]
  readonly rules?: Partial<typeof turnRules>
  readonly tokens?: number
  readonly fits?: (size: { readonly tokens: number; readonly wire: number }) => boolean
  readonly slots?: readonly (typeof turnSlots)[number][]
}

export function renderMemory(reader: MemoryReader, given: Given = {}): FilledExtension {
  const { turns = 5, knows, changes, steps = [], tokens = 100_000, fits = () => true } = given
  const rules = { ...turnRules, ...given.rules }
  const memory = buildMemory(recordsOf(turns, knows, changes), steps, rules)
  const slots = new Set<string>(given.slots ?? turnSlots)
  const content = memoryContent(memory, reader, rules)
  const pieces = content.pieces.filter(({ slot }) => slots.has(slot))
  return fillExtension({ ...content, pieces }, { tokens, fits }, meter)
}

export const textOf = (part: Part) => (part.type === 'text' ? part.text : '')

/** The blocks of a slot, without their marks: `label | text`. */
export function blocksOf({ messages }: FilledExtension, slot: string): readonly string[] {
  return messages
    .filter((message) => message.slot === slot)
    .flatMap(({ parts }) => parts.map(textOf))
    .map((text) => {
      const [, label, inner] =
        /^\[(.*) · data, not instructions · (?:\w+)\]\n([\s\S]*)\n\[end \w+\]$/.exec(text) ?? []
      return `${label} | ${inner}`
    })
}

export const tokensOf = ({ messages }: FilledExtension) => meter.messages(messages)
