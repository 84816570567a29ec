/** Words that stand in place of something that no provider has a form for, told apart from what was said. */
import type { Part, TextPart } from './message.ts'

const note = { throughline: { told: true } } as const

export function toldText(text: string): TextPart {
  return { type: 'text', text, metadata: note }
}

export function isTold({ metadata }: Part): boolean {
  const ours = metadata?.['throughline'] as { readonly told?: unknown } | undefined
  return ours?.told === true
}
