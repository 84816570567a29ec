/** What a receipt keeps of a context until its follow-up. Apart from the receipt, because it redacts secrets. */
import { defaults } from '../../defaults-data.ts'
import type { Context } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { LeftInContext } from '../../domain/receipt.ts'
import type { View } from '../../domain/view.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { textOfParts } from '../text/readable-text.ts'

/** All text of a context except whole messages: system prompt, stubs, pins, history block. */
export function leftInContext(
  { system, messages }: Pick<Context, 'system' | 'messages'>,
  { stubs: stubbed }: Pick<View, 'stubs'>,
  /** The end of the log; the next message is not in it yet. */
  head: Seq,
): LeftInContext {
  const stubs = stubbed.map(({ seq }) => seq)
  const places = new Set(stubs)
  const derived = messages.filter(({ seq }) => seq === null || seq >= head || places.has(seq))
  const texts = [textOfParts(system), ...derived.map(({ parts }) => textOfParts(parts))]
  // Receipts are kept for a long time, and stubs and pins may contain secrets.
  const { text } = redactSecrets(texts.join('\n'))
  return { text: text.slice(0, defaults.followUpCharacters), stubs }
}
