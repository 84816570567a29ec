/** What the example prints: who said what, what the memory made of it, and what a planner reads. */
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
  say('user', [user])
  say('router', [`${route.goal} (${route.complexity})`])
  const names = plan.steps.map(({ tool }) => tool).join(', ')
  say('think', [names === '' ? plan.decision : `${plan.decision}: ${names}`])
  say(
    'act',
    done.map(({ step }) => step.description),
  )
  say('reply', [reply])
  console.log('')
  say('memory', changesIn(remembered))
  console.log('')
  say('planner', [`reads this before the next turn, ${forPlanner.tokens} tokens in all:`])
  say('', blocksOf(forPlanner))
}

/** Ids of what was ever there, with what they stand for. */
const known = new Map<string, string>()

function changesIn({ memory, ...remembered }: AfterReply): readonly string[] {
  if (!remembered.changed) return ['nothing has changed']
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
    ...told('drafted, and not saved yet', drafts.map(idOf)),
    ...told('saved, under the ids of the database', entities.promoted),
    ...told('changed', record.audit.updated),
    ...told('deleted', record.audit.deleted),
    ...told('inactive', rejected.map(idOf)),
    ...told('forgotten', entities.removed),
    ...toldIn(remembered.record, memory),
  ]
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

function told(name: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`${name}: ${ids.map((id) => known.get(id) ?? id).join(', ')}`]
}

type Changed = Extract<AfterReply, { readonly changed: true }>

function toldIn(
  { turn, digest, compressed }: Changed['record'],
  { theme, pending }: Changed['memory'],
): readonly string[] {
  const waitsFor = pending?.proposal ?? pending?.questions.join(' ')
  return [
    ...(digest === null ? [] : [`the answer in short, by ${digest.by}: ${digest.text}`]),
    ...(compressed === null
      ? []
      : [`turn ${compressed.turn} as a line, by ${compressed.by}: ${compressed.text}`]),
    ...(theme?.turn === turn ? [`the theme, by ${theme.by}: ${theme.text}`] : []),
    waitsFor === undefined ? 'nothing is waited for' : `waits for the user: ${waitsFor}`,
  ]
}

/** The blocks of the memory, without the marks that set them apart as data. */
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

/** What is left of it all, and that nothing is lost. */
export async function printEnd(chat: ConversationHandle, asked: number): Promise<void> {
  const { turn, recentTurns, history, activeEntities } = await turnMemory(chat)
  const [first] = await rememberedTurns(chat, { before: 2, limit: 1 })
  const step = await stepResult(chat, { turn: 6, step: 1 })
  rule('In the end')
  say('memory', [
    `${turn} turns, ${recentTurns.length} of them in full and ${history.length} in a line each`,
    `in the database: ${activeEntities.map(({ id, label }) => `${id} ${label}`).join(', ')}`,
    `a model was asked for ${asked} sentences`,
  ])
  say('turn 1', [`is still there as it was: ${first?.assistant}`])
  say('step 6.1', [`is still there, whole: ${JSON.stringify(step?.result)}`])
}

function rule(title: string): void {
  console.log(`\n${`── ${title} `.padEnd(width, '─')}\n`)
}

/** A label in the margin, and texts that stay on their side of it. */
function say(label: string, texts: readonly string[]): void {
  const [first, ...rest] = texts.flatMap((text) => text.split('\n').flatMap(wrapped))
  if (first === undefined) return
  console.log(`${label.padEnd(margin)}${first}`.trimEnd())
  for (const line of rest) console.log(`${' '.repeat(margin)}${line}`.trimEnd())
}

/** What does not fit goes on in the next line, a little further in. */
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
