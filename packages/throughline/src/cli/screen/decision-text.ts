/** A decision in words. */
import type { Decision } from '../../domain/decision.ts'

type Told = Pick<Decision, 'kind' | 'reason' | 'shadow'>

export function decisionText({ kind, reason, shadow }: Told): string {
  if (kind === 'renew' && reason === 'first') return 'put together for the first time'
  const told = shadow ? `${reason}, only told` : reason
  return `${words[kind]} (${told})`
}

const words: Readonly<Record<Decision['kind'], string>> = {
  'go-on': 'not compacted',
  compact: 'compacted',
  trim: 'trimmed to fit',
  renew: 'made anew',
}

/** What comes of it where nobody asks for a compaction, as a sentence. */
export function leftAloneText({ kind, reason, shadow }: Told): string {
  switch (kind) {
    case 'go-on':
      return reason === 'below'
        ? 'left alone, nothing is compacted yet: no trigger has fired.'
        : `left alone, nothing is compacted yet (${reason}).`
    case 'compact':
      return shadow
        ? `left alone, the next request would only tell that it is time (${reason}).`
        : `left alone, the next request compacts by itself (${reason}).`
    case 'trim':
      return 'left alone, the next request is trimmed to fit, since compaction is off.'
    case 'renew':
      return reason === 'first'
        ? 'nothing was sent to this model yet, and the first request would hold all that fits.'
        : `left alone, the next request is put together anew (${reason}).`
  }
}
