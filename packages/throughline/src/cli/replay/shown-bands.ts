/** Splits a context into bands: the window by section, the log by how messages are shown. */
import type { Context, Meter, Role, Section } from '../../index.ts'
import { messageText, redactMessage, redactSecrets } from '../../toolkit/index.ts'
import { bandOfSection, type windowBands } from './bands-data.ts'

export type WindowBand = (typeof windowBands)[number]
export type WindowBands = Readonly<Record<WindowBand, number>>

export function bandOf(kind: Section['kind']): WindowBand {
  return (Object.hasOwn(bandOfSection, kind) ? bandOfSection[kind] : undefined) ?? 'history'
}

/** They add up to the request; the framing of messages counts as recent. */
export function windowBandsOf(context: Pick<Context, 'sections' | 'tokens'>): WindowBands {
  const { sections, tokens } = context
  const sums = { protected: 0, history: 0, recalled: 0, recent: 0 }
  for (const section of sections) sums[bandOf(section.kind)] += section.tokens
  const others = sums.protected + sums.history + sums.recalled
  return { ...sums, recent: Math.max(0, tokens - others) }
}

export type LogBands = ReturnType<typeof logBandsOf>

export function logBandsOf(
  { omitted, messages }: Pick<Context, 'omitted' | 'messages'>,
  head: number,
) {
  const spans = (kind: 'left-out' | 'stubbed') =>
    omitted.flatMap(({ why, span }) => (why === kind ? (span ?? []) : []))
  const line = Math.max(0, ...spans('left-out').map(({ to }) => to))
  return {
    head,
    /** Messages before it are summarized, except those in `kept`. */
    line,
    kept: messages.flatMap(({ seq }) => (seq !== null && seq < line ? seq : [])),
    stubbed: spans('stubbed').filter(({ from }) => from >= line),
  }
}

export type ShownPiece = ReturnType<typeof piece>

const charactersShown = 200

/** The pieces of a context with their first characters, redacted because a report may be shared. */
export function shownPieces(context: Context, meter: Meter): readonly ShownPiece[] {
  const { system, tools, messages } = context
  const names = tools.map(({ name }) => name).join(', ')
  const noPlace = { role: null, seq: null }
  return [
    ...(tools.length === 0 ? [] : [piece('tools', noPlace, meter.tools(tools), names)]),
    ...system.map(({ text }) =>
      piece('system', { ...noPlace, role: 'system' }, meter.systemSize(text).tokens, text),
    ),
    ...messages.map((message) => {
      // Redacts the parts first: a secret in the input of a call is found by the name of its field.
      const text = messageText({ parts: redactMessage(message), marks: [] })
      return piece(message.slot, message, meter.message(message), text)
    }),
  ]
}

function piece(
  slot: Section['kind'],
  { role, seq }: { readonly role: Role | null; readonly seq: number | null },
  tokens: number,
  text: string,
) {
  const band = bandOf(slot)
  // Redacts before cutting: a cut secret would not be recognized.
  const begins = redactSecrets(text).text.slice(0, charactersShown).toWellFormed()
  return { slot, band, role, seq, tokens, begins }
}
