/**
 * What to do where a context is still too large with its new summary: another pass as long as
 * the chain may grow, then half of the tail, once, and never fewer than 2 messages of it.
 */
export interface AfterPass {
  readonly depth: number
  readonly mostDepth: number
  readonly tailMessages: number
  readonly tailWasHalved: boolean
}

export type NextPass =
  | { readonly kind: 'again'; readonly depth: number }
  | { readonly kind: 'shorter-tail'; readonly tailMessages: number }
  | { readonly kind: 'no-more' }

/** A question and its answer. */
const leastTailMessages = 2

export function nextPass({ depth, mostDepth, tailMessages, tailWasHalved }: AfterPass): NextPass {
  if (depth + 1 < mostDepth) return { kind: 'again', depth: depth + 1 }
  const half = Math.max(leastTailMessages, Math.floor(tailMessages / 2))
  return tailWasHalved || half >= tailMessages
    ? { kind: 'no-more' }
    : { kind: 'shorter-tail', tailMessages: half }
}
