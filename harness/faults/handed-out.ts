/** Every text that a run has handed out, and every text that people and tools have put in. */
import type { Context, Draft, Message, Part } from 'throughline'
import type { Observed } from './observed.ts'

export interface NamedText {
  readonly where: string
  readonly text: string
}

export function handedOut({ steps, summaries, inForce }: Observed): readonly NamedText[] {
  return [
    ...steps.map(({ number, context }) => ({
      where: `context ${number}`,
      text: textOfContext(context),
    })),
    ...summaries.map((record) => ({ where: `summary ${record.id}`, text: textOfDraft(record) })),
    ...(inForce === null ? [] : [{ where: 'the summary in force', text: inForce.content }]),
  ]
}

export function textOfContext({ system, messages }: Pick<Context, 'system' | 'messages'>): string {
  return [
    ...system.map(({ text }) => text),
    ...messages.flatMap(({ parts }) => parts.map(textOfPart)),
  ].join('\n')
}

export function textOfDraft(draft: Draft): string {
  return piecesOfDraft(draft).join('\n')
}

/** Whatever a model has a say in, piece by piece. */
export function piecesOfDraft({ text, keyPoints, facets }: Draft): readonly string[] {
  if (facets === null) return [text, ...keyPoints]
  const { tone, actionItems, ...lists } = facets
  const done = actionItems.flatMap(({ owner, task, due }) => [owner ?? '', task, due ?? ''])
  return [text, ...keyPoints, ...Object.values(lists).flat(), ...done, tone ?? ''].filter(
    (piece) => piece !== '',
  )
}

export function textOfLog(log: readonly Message[]): string {
  return log.flatMap(({ parts }) => parts.map(textOfPart)).join('\n')
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return part.text
    case 'tool-call':
      return part.input
    case 'tool-result':
      return part.output.kind === 'text' ? part.output.text : JSON.stringify(part.output)
    case 'opaque':
      return part.json
    default:
      return ''
  }
}
