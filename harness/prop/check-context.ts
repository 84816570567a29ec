/** One context, written for every provider and held against every rule. */
import type { Context } from 'throughline'
import { checkBudget, type Written } from './check-budget.ts'
import { checkListed } from './check-listed.ts'
import { checkContextPairs, checkPairs } from './check-pairs.ts'
import { checkSealedContext, checkSealedRequest, type Seals } from './check-sealed.ts'
import { checkContextUnicode, checkPins, checkSystem, checkUnicode } from './check-text.ts'
import type { Oracle } from './oracle.ts'
import { providers } from './providers.ts'
import type { Case } from './random-case.ts'
import { type Violation, violation } from './violation.ts'

export interface Checked {
  readonly violations: readonly Violation[]
  readonly written: readonly Written[]
}

export function checkContext(
  context: Context,
  made: Pick<Case, 'messages' | 'asked'>,
  windowTokens: number,
  tools: { readonly oracle: Oracle; readonly seals: Seals },
): Checked {
  const violations: Violation[] = []
  const written: Written[] = []
  for (const provider of providers) {
    try {
      const request = provider.write(context)
      const tokens = tools.oracle.request(provider.format, request, context)
      written.push({ provider, request, tokens })
    } catch (cause) {
      violations.push(violation('accepted', `${provider.format}: ${String(cause)}`))
    }
  }
  const { messages, asked } = made
  const pins = asked.pins ?? []
  violations.push(
    ...checkBudget(context, windowTokens, written),
    ...checkContextPairs(context),
    ...checkContextUnicode(context),
    ...checkSealedContext(context, tools.seals),
    ...checkListed(context, messages, pins),
  )
  for (const { provider, request } of written) {
    const named = ({ rule, detail }: Violation) => violation(rule, `${provider.format}: ${detail}`)
    violations.push(
      ...provider.problems(request).map((problem) => violation('accepted', problem)),
      ...checkPairs(provider.format, request),
      ...[
        ...checkUnicode(request),
        ...checkSealedRequest(request, tools.seals),
        ...checkSystem(context, request, asked),
        ...checkPins(request, messages, pins),
      ].map(named),
    )
  }
  return { violations, written }
}

/** All five requests, byte for byte. */
export function bytesOf(context: Context): string {
  return JSON.stringify(providers.map((provider) => provider.write(context)))
}
