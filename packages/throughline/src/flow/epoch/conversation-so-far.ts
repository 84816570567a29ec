/**
 * What the conversation would send next if nothing were compacted. It begins with the request before,
 * which its provider may have in a cache.
 */
import type { Decision } from '../../domain/decision.ts'
import { describeChosen } from '../describe/describe-chosen.ts'
import type { Chosen, Held, Projecting } from '../project/projecting.ts'
import type { ConversationSoFar } from '../summarize/summary-writer.ts'

// The shortest life of a cache: that of Anthropic, and of OpenAI when it is busy.
const cacheLivesMs = 5 * 60_000

/** Null where no cache has the beginning of it, or where it would not fit itself. */
export async function conversationSoFar(
  input: Projecting,
  held: Held,
  decision: Decision,
  inForce: Chosen | null,
): Promise<ConversationSoFar | null> {
  const { last, now } = input
  if (inForce === null || last === null || now - last.at > cacheLivesMs) return null
  if (held.plan.hard(inForce.shown.size) > held.plan.hardTokens) return null
  const { context } = await describeChosen(input, held, inForce, decision)
  if (context.prefixOf === null) return null
  const { view } = inForce
  return {
    // Where the request before ended a cache is read; nobody will read what is new here.
    context: { ...context, breakpoints: [last.prefix.messages - 1] },
    line: view?.line ?? 0,
    stubbed: new Set(view?.stubs.map(({ seq }) => seq)),
    summaryId: view?.past?.written?.id ?? null,
    sentTokens: Math.min(last.expectedTokens, context.tokens),
  }
}
