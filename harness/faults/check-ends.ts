/** What starts ends, once, before the context is there; and what was tried is told for later too. */
import type { LiveEvent } from 'throughline'
import { type Finding, finding } from './finding.ts'
import type { Observed, Step } from './observed.ts'

export function checkEnds({ steps, events }: Observed): readonly Finding[] {
  const tried = steps.flatMap(({ live }) =>
    live.filter(({ kind }) => kind === 'summarization-started'),
  ).length
  const kept = events.filter(({ kind }) => kind === 'summary-written' || kind === 'summary-failed')
  return [
    ...steps.flatMap(ofStep),
    ...(tried === kept.length
      ? []
      : [finding('ends', `${tried} summaries were begun, ${kept.length} are in the events`)]),
  ]
}

function ofStep({ number, live }: Step): readonly Finding[] {
  const open = new Set<string>()
  const found: Finding[] = []
  for (const event of live) {
    const { begins, name } = edgeOf(event)
    if (begins === open.has(name))
      found.push(
        finding('ends', `step ${number}: ${name} ${begins ? 'starts twice' : 'ends unbegun'}`),
      )
    if (begins) open.add(name)
    else open.delete(name)
  }
  return [
    ...found,
    ...[...open].map((name) => finding('ends', `step ${number}: ${name} stays open`)),
  ]
}

function edgeOf(event: LiveEvent): { readonly begins: boolean; readonly name: string } {
  switch (event.kind) {
    case 'summarization-started':
      return { begins: true, name: 'a summary' }
    case 'summarization-finished':
    case 'summarization-failed':
      return { begins: false, name: 'a summary' }
    case 'model-attempt-started':
      return { begins: true, name: `attempt ${event.number}` }
    case 'model-attempt-ended':
      return { begins: false, name: `attempt ${event.attempt.number}` }
  }
}
