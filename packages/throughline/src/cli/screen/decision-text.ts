/** A decision in words. */
import type { Decision } from '../../domain/decision.ts'

export function decisionText({
  kind,
  reason,
  shadow,
}: Pick<Decision, 'kind' | 'reason' | 'shadow'>): string {
  const told = shadow ? `${reason}, only told` : reason
  return `${words[kind]} (${told})`
}

const words: Readonly<Record<Decision['kind'], string>> = {
  'go-on': 'not compacted',
  compact: 'compacted',
  trim: 'trimmed to fit',
  renew: 'made anew',
}
