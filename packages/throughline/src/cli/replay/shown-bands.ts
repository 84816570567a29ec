/** A context in bands: of its window, by what takes the tokens, and of the log, by what is shown. */
import type { Context, Section } from '../../domain/context.ts'
import type { Span } from '../../domain/span.ts'

/** What the window is made of, in the order in which it is drawn. */
export const windowBands = ['protected', 'past', 'recalled', 'recent'] as const

export type WindowBand = (typeof windowBands)[number]

export type WindowBands = Readonly<Record<WindowBand, number>>

export const bandOf: Readonly<Record<Section['kind'], WindowBand>> = {
  system: 'protected',
  tools: 'protected',
  profile: 'protected',
  pins: 'protected',
  summary: 'past',
  ledger: 'past',
  files: 'past',
  theme: 'past',
  history: 'past',
  entities: 'past',
  pending: 'past',
  turns: 'past',
  steps: 'past',
  recalled: 'recalled',
  retrieved: 'recalled',
  earlier: 'recent',
  recent: 'recent',
  current: 'recent',
}

/** Their sum is what the request has; frames around messages go with what is recent. */
export function windowBandsOf({
  sections,
  tokens,
}: Pick<Context, 'sections' | 'tokens'>): WindowBands {
  const bands = { protected: 0, past: 0, recalled: 0, recent: 0 }
  for (const section of sections) bands[bandOf[section.kind]] += section.tokens
  const others = bands.protected + bands.past + bands.recalled
  return { ...bands, recent: Math.max(0, tokens - others) }
}

/** The log as a context shows it. */
export interface LogBands {
  readonly head: number
  /** Before it, messages are told and not shown, but for those that are kept. */
  readonly line: number
  readonly kept: readonly number[]
  /** From the line on, shown as far as there is room. */
  readonly stubbed: readonly Span[]
}

export function logBandsOf(
  { omitted, messages }: Pick<Context, 'omitted' | 'messages'>,
  head: number,
): LogBands {
  const spans = (why: 'left-out' | 'stubbed') =>
    omitted.flatMap((omission) =>
      omission.why === why && omission.span !== null ? omission.span : [],
    )
  const line = Math.max(0, ...spans('left-out').map(({ to }) => to))
  return {
    head,
    line,
    kept: messages.flatMap(({ seq }) => (seq !== null && seq < line ? seq : [])),
    stubbed: spans('stubbed').filter(({ from }) => from >= line),
  }
}
