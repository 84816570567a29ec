/** What of a context does not stand in the log as it is shown: everything but whole messages. */
import { defaults } from '../../defaults.ts'
import type { Context } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { LeftInContext } from '../../domain/receipt.ts'
import type { View } from '../../domain/view.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { textOfParts } from '../text/message-text.ts'

export function leftInContext(
  { system, messages }: Pick<Context, 'system' | 'messages'>,
  { stubs: stubbed }: Pick<View, 'stubs'>,
  /** The end of the log: what comes next has no place in it yet. */
  head: Seq,
): LeftInContext {
  const stubs = stubbed.map(({ seq }) => seq)
  const places = new Set(stubs)
  const derived = messages.filter(({ seq }) => seq === null || seq >= head || places.has(seq))
  const texts = [textOfParts(system), ...derived.map(({ parts }) => textOfParts(parts))]
  // Stubs and pins show what was appended, and a receipt is kept for long.
  const { text } = redactSecrets(texts.join('\n'))
  return { text: text.slice(0, defaults.hindsightCharacters.value), stubs }
}
