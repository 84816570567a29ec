/**
 * Whether what a user stated that binds later work is still in the context after many compactions, with
 * the shipped policy and without a model. Made-up conversations; half of the wordings are held out.
 */
import { type Context, createThroughline } from 'throughline'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { madeConversation, type Shape, type Statement } from './rules/conversations.ts'
import { secondHeldOutChat } from './rules/second-wordings-data.ts'
import {
  developmentAgent,
  developmentChat,
  heldOutAgent,
  heldOutChat,
  type Wordings,
} from './rules/wordings-data.ts'
import { shippedSizes } from './shipped-sizes.ts'

export interface RulesPlan {
  readonly sizes: readonly number[]
  readonly seeds: readonly string[]
  readonly sources: readonly Source[]
  /** Compactions after the last statement. */
  readonly compactions: number
}

export async function measureRules({ sizes }: BenchOptions): Promise<readonly BenchRow[]> {
  return rulesRows({
    sizes: sizes ?? shippedSizes.rules,
    seeds: ['1', '2', '3'],
    sources,
    compactions: 20,
  })
}

type Source = readonly [name: string, wordings: Wordings, shape: Shape]

export const sources: readonly [Source, ...Source[]] = [
  ['agent', developmentAgent, 'agent'],
  ['chat', developmentChat, 'chat'],
  ['agent, held-out wordings', heldOutAgent, 'agent'],
  ['chat, held-out wordings', heldOutChat, 'chat'],
  ['chat, second held-out wordings', secondHeldOutChat, 'chat'],
]

export async function rulesRows({
  sizes,
  seeds,
  sources: measured,
  compactions,
}: RulesPlan): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [source, wordings, shape] of measured)
    for (const size of sizes) {
      const found: Found[] = []
      for (const seed of seeds) {
        const { statements, lines } = await compacted(
          wordings,
          shape,
          `${source} ${seed}`,
          size,
          compactions,
        )
        found.push(
          ...statements.map((statement) => ({ statement, isShown: isShown(statement, lines) })),
        )
      }
      rows.push(...rowsOf(source, size, found))
    }
  return rows
}

interface Found {
  readonly statement: Statement
  readonly isShown: boolean
}

async function compacted(
  wordings: Wordings,
  shape: Shape,
  seed: string,
  windowTokens: number,
  compactions: number,
) {
  const { statements, turns, nextTurn } = madeConversation(wordings, shape, seed)
  const card = { id: 'window', contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const tl = createThroughline({ models: [card] })
  const chat = tl.conversation('rules')
  const request = { model: card.id, system: 'You are a careful assistant.' }
  let context: Context | null = null
  for (const turn of turns) {
    await chat.append(turn)
    context = await chat.context(request)
  }
  const from = context?.epoch ?? 0
  while ((context?.epoch ?? 0) - from < compactions) {
    await chat.append(nextTurn())
    context = await chat.context(request)
  }
  await tl.close()
  const shown = context?.messages.flatMap(({ parts }) => parts) ?? []
  const texts = shown.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { statements, lines: texts.join('\n').split('\n').map(plain) }
}

/**
 * Verbatim, or with all of its content words in one line. A choice counts if one line has the option.
 * A replaced rule counts as in force if no later line replaces it.
 */
export function isShown({ kind, text, other }: Statement, lines: readonly string[]): boolean {
  if (kind === 'choice')
    return lines.some((line) => contains(line, `: ${text}`) && contains(line, other))
  const at = lines.findLastIndex((line) => contains(line, text) || containsWords(line, text))
  if (kind !== 'replaced') return at >= 0
  return (
    at >= 0 && !lines.slice(at).some((line) => contains(line, other) || containsWords(line, other))
  )
}

function contains(line: string, text: string): boolean {
  return line.includes(plain(text))
}

export function plain(text: string): string {
  return text.toLowerCase().replaceAll('*', '').replace(/\s+/g, ' ').trim()
}

function containsWords(line: string, text: string): boolean {
  const words = plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const content = words.filter((word) => word.length >= minContentCharacters || /\p{N}/u.test(word))
  const found = new Set(line.match(/[\p{L}\p{N}]+/gu))
  return content.length >= minContentWords && content.every((word) => found.has(word))
}

const minContentCharacters = 4
const minContentWords = 3

function rowsOf(source: string, size: number, found: readonly Found[]): readonly BenchRow[] {
  const row = rowWriter({ source, size, n: 0 })
  return units.map(([kind, unit]) => {
    const all = found.filter(({ statement }) => statement.kind === kind)
    const shown = all.filter(({ isShown: isIn }) => isIn)
    return row('throughline', (100 * shown.length) / Math.max(1, all.length), unit, all.length)
  })
}

const units = [
  ['rule', '% of rules in the context'],
  ['decision', '% of decisions in the context'],
  ['refusal', '% of refusals in the context'],
  ['choice', '% of choices shown with the option'],
  ['replaced', '% of replaced rules shown as in force'],
] as const
