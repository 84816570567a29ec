/**
 * A context in the pieces that it is sent in, each with how it begins, without secrets: what a model is
 * sent is for the model, and a report is for whoever it is shown to.
 */
import type { Context, ContextMessage, Section } from '../../domain/context.ts'
import type { Role } from '../../domain/message.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import type { Meter } from '../../flow/measure/measure.ts'
import { redactedMessage } from '../../flow/redact/redacted-message.ts'
import { messageText } from '../../flow/text/message-text.ts'
import { bandOf, type WindowBand } from './shown-bands.ts'

export interface ShownPiece {
  readonly slot: Section['kind']
  readonly band: WindowBand
  readonly role: Role | null
  /** Its place in the log; null where it was made for the request. */
  readonly seq: number | null
  readonly tokens: number
  readonly begins: string
}

const charactersShown = 200

export function shownPieces(context: Context, meter: Meter): readonly ShownPiece[] {
  const { system, tools, messages } = context
  const names = tools.map(({ name }) => name).join(', ')
  return [
    ...(tools.length === 0
      ? []
      : [piece('tools', { role: null, seq: null }, meter.tools(tools), names)]),
    ...system.map(({ text }) =>
      piece('system', { role: 'system', seq: null }, meter.systemSize(text).tokens, text),
    ),
    ...messages.map((message) =>
      piece(message.slot, message, meter.message(message), textWithoutSecrets(message)),
    ),
  ]
}

/** In its parts first: a secret in the input of a call is known by the name of its field. */
function textWithoutSecrets({ seq, role, parts }: ContextMessage): string {
  const redact = (text: string) => redactSecrets(text).text
  const redacted = redactedMessage({ seq: seq ?? 0, role, parts }, redact)
  return messageText({ parts: redacted.parts, marks: [] })
}

function piece(
  slot: Section['kind'],
  { role, seq }: Pick<ShownPiece, 'role' | 'seq'>,
  tokens: number,
  text: string,
): ShownPiece {
  const band = bandOf[slot]
  // All of it is looked at before it is cut: half a secret is not known for one.
  const begins = redactSecrets(text).text.slice(0, charactersShown).toWellFormed()
  return { slot, band, role, seq, tokens, begins }
}
