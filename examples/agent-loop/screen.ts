/** Prints each turn: its messages, the changes of the memory, and the context of the planner. */
import type { Context, ConversationHandle } from 'throughline'
import {
  type AfterReply,
  auditLine,
  rememberedTurns,
  stepResult,
  turnMemory,
} from 'throughline/turns'
import type { PlayedTurn } from './played-turn.ts'

const width = 100
const margin = 10

export function printTurn(played: PlayedTurn): void {
  const { user, route, plan, done, reply, remembered, forPlanner } = played
  rule(`Turn ${remembered.memory.turn}`)
  print('user', [user])
  print('router', [`${route.goal} (${route.complexity})`])
  const names = plan.steps.map(({ tool }) => tool).join(', ')
  print('think', [names === '' ? plan.decision : `${plan.decision}: ${names}`])
  print(
    'act',
    done.map(({ step }) => step.description),
  )
  print('reply', [reply])
  console.log('')
  print('memory', changesIn(remembered))
  console.log('')
  print('planner', [`context of the next turn, ${forPlanner.tokens} tokens:`])
  print('', blocksOf(forPlanner))
}

/** The names of all entities so far, by id. */
const known = new Map<string, string>()

function changesIn({ memory, ...remembered }: AfterReply): readonly string[] {
  if (!remembered.changed) return ['no changes']
  for (const { id, type, label } of memory.entities) known.set(id, `${type} ${id} ${label}`)
  const { record, entities } = remembered
  const drafts = memory.entities.filter(
    ({ state, turnCreated }) => state === 'pending' && turnCreated === record.turn,
  )
  const rejected = memory.entities.filter(
    ({ state, since }) => state === 'inactive' && since === record.turn,
  )
  return [
    auditLine(record).replace(/^turn \d+: /, ''),
    ...entityLine('drafted, not saved yet', drafts.map(idOf)),
    ...entityLine('saved, with database ids', entities.promoted),
    ...entityLine('changed', record.audit.updated),
    ...entityLine('deleted', record.audit.deleted),
    ...entityLine('inactive', rejected.map(idOf)),
    ...entityLine('removed', entities.removed),
    ...textLines(remembered.record, memory),
  ]
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

function entityLine(name: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`${name}: ${ids.map((id) => known.get(id) ?? id).join(', ')}`]
}

type Changed = Extract<AfterReply, { readonly changed: true }>

function textLines(
  { turn, digest, compressed }: Changed['record'],
  { theme, pending }: Changed['memory'],
): readonly string[] {
  const waitsFor = pending?.proposal ?? pending?.questions.join(' ')
  return [
    ...(digest === null ? [] : [`digest of the answer, by ${digest.by}: ${digest.text}`]),
    ...(compressed === null
      ? []
      : [`history line of turn ${compressed.turn}, by ${compressed.by}: ${compressed.text}`]),
    ...(theme?.turn === turn ? [`theme, by ${theme.by}: ${theme.text}`] : []),
    waitsFor === undefined ? 'no pending decision' : `waits for the user: ${waitsFor}`,
  ]
}

/** The blocks of the memory, without their data marks. */
function blocksOf({ messages }: Context): readonly string[] {
  return messages
    .filter(({ slot, seq }) => seq === null && slot !== 'current')
    .flatMap(({ slot, parts }) =>
      parts.flatMap((part) => (part.type === 'text' ? [`[${slot}] ${bare(part.text)}`] : [])),
    )
}

function bare(block: string): string {
  const lines = block.split('\n')
  const label = /^\[(.*?) · /.exec(lines[0] ?? '')?.[1] ?? ''
  const body = lines.slice(1, -1)
  return body.length === 1 ? `${label}: ${body[0]}` : [label, ...body].join('\n  ')
}

/** Prints the final memory, and shows that old turns and results are still complete. */
export async function printEnd(chat: ConversationHandle, asked: number): Promise<void> {
  const { turn, recentTurns, history, activeEntities } = await turnMemory(chat)
  const [first] = await rememberedTurns(chat, { before: 2, limit: 1 })
  const step = await stepResult(chat, { turn: 6, step: 1 })
  rule('In the end')
  print('memory', [
    `${turn} turns, ${recentTurns.length} of them in full and ${history.length} as history lines`,
    `in the database: ${activeEntities.map(({ id, label }) => `${id} ${label}`).join(', ')}`,
    `model calls of the memory: ${asked}`,
  ])
  print('turn 1', [`is still complete: ${first?.assistant}`])
  print('step 6.1', [`is still complete: ${JSON.stringify(step?.result)}`])
}

function rule(title: string): void {
  console.log(`\n${`── ${title} `.padEnd(width, '─')}\n`)
}

/** Prints a label in the margin, and wrapped texts beside it. */
function print(label: string, texts: readonly string[]): void {
  const [first, ...rest] = texts.flatMap((text) => text.split('\n').flatMap(wrapped))
  if (first === undefined) return
  console.log(`${label.padEnd(margin)}${first}`.trimEnd())
  for (const line of rest) console.log(`${' '.repeat(margin)}${line}`.trimEnd())
}

/** Wraps a text, with the following lines indented. */
function wrapped(text: string): readonly string[] {
  const [indent = ''] = /^ */.exec(text) ?? []
  const [first = '', ...words] = text.trim().split(' ')
  const lines = [`${indent}${first}`]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (margin + longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(`${indent}  ${word}`)
  }
  return lines
}
