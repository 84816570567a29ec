/** A context in bands: of its window, by what takes the tokens, and of the log, by what is shown. */
import type { Context, Meter, Role, Section } from '../../index.ts'
import { messageText, redactMessage, redactSecrets } from '../../toolkit/index.ts'
import { bandOfSection, type windowBands } from './bands-data.ts'

export type WindowBand = (typeof windowBands)[number]

export type WindowBands = Readonly<Record<WindowBand, number>>

export function bandOf(kind: Section['kind']): WindowBand {
  return (Object.hasOwn(bandOfSection, kind) ? bandOfSection[kind] : undefined) ?? 'past'
}

/** Their sum is what the request has; frames around messages go with what is recent. */
export function windowBandsOf(context: Pick<Context, 'sections' | 'tokens'>): WindowBands {
  const { sections, tokens } = context
  const sums = { protected: 0, past: 0, recalled: 0, recent: 0 }
  for (const section of sections) sums[bandOf(section.kind)] += section.tokens
  const others = sums.protected + sums.past + sums.recalled
  return { ...sums, recent: Math.max(0, tokens - others) }
}

export type LogBands = ReturnType<typeof logBandsOf>

/** The log as a context shows it. */
export function logBandsOf(
  { omitted, messages }: Pick<Context, 'omitted' | 'messages'>,
  head: number,
) {
  const spans = (kind: 'left-out' | 'stubbed') =>
    omitted.flatMap(({ why, span }) => (why === kind ? (span ?? []) : []))
  const line = Math.max(0, ...spans('left-out').map(({ to }) => to))
  return {
    head,
    /** Before it, messages are told and not shown, but for those that are kept. */
    line,
    kept: messages.flatMap(({ seq }) => (seq !== null && seq < line ? seq : [])),
    /** From the line on, shown as far as there is room. */
    stubbed: spans('stubbed').filter(({ from }) => from >= line),
  }
}

export type ShownPiece = ReturnType<typeof piece>

const charactersShown = 200

/**
 * A context in the pieces that it is sent in, each with how it begins, without secrets: what a model is
 * sent is for the model, and a report is for whoever it is shown to.
 */
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
      // In its parts first: a secret in the input of a call is known by the name of its field.
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
  // All of it is looked at before it is cut: half a secret is not known for one.
  const begins = redactSecrets(text).text.slice(0, charactersShown).toWellFormed()
  return { slot, band, role, seq, tokens, begins }
}
