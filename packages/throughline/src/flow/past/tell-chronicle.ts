/** The narrative as a chronicle, and how much of the users' share is left for their rules. */
import type { Seq } from '../../domain/ids.ts'
import type { View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import { withinTokens } from '../measure/within-tokens.ts'
import { rootOf } from './file-root.ts'
import { type Narrated, type Narrating, narrate } from './narrate.ts'
import type { PastFacts } from './note-facts.ts'
import type { PastLimits } from './past-limits.ts'

export interface Chronicle {
  readonly text: string
  /** Messages that it has word for word. */
  readonly whole: ReadonlySet<Seq>
  /** For what users said longer ago that binds. */
  readonly rulesTokens: number
}

const charactersPerToken = 3.6
const rulesShare = 0.5

export async function tellChronicle(
  digested: PastFacts,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  limits: PastLimits,
  meter: Pick<Meter, 'text'>,
  /** What others than users said and did before it is told elsewhere. */
  othersFrom: Seq,
  isQuoted?: Narrating['isQuoted'],
): Promise<Chronicle> {
  const root = rootOf(digested.ledger.entries)
  const shown = new Set(keeps)
  const otherTokens = Math.max(0, limits.summaryTokens)
  const tell = (saidTokens: number): Promise<Narrated | null> =>
    withinTokens(saidTokens + otherTokens, charactersPerToken, meter, (characters) => {
      const share = saidTokens / Math.max(1, saidTokens + otherTokens)
      return narrate(digested.rowsBefore, line, {
        saidCharacters: characters * share,
        otherCharacters: characters * (1 - share),
        root,
        shown,
        othersFrom,
        usersFrom: limits.repeatsSaid ? 0 : othersFrom,
        ...(isQuoted !== undefined && { isQuoted }),
      })
    })
  const lessTokens = Math.max(0, limits.saidTokens)
  const less = await tell(lessTokens)
  // What is recalled takes no room from names, as long as all messages can be named.
  const more = less?.namesAll === false ? await tell(limits.namesTokens) : null
  const [told, saidTokens] = more?.namesAll ? [more, limits.namesTokens] : [less, lessTokens]
  if (told === null) return { text: '', whole: new Set(), rulesTokens: 0 }
  // Where not all of it can stand word for word, rules of long ago need room too.
  const hasLedger = limits.ledgerTokens > 0
  const rulesTokens = told.saysAll || !hasLedger ? 0 : Math.floor(saidTokens * rulesShare)
  const fewer = rulesTokens === 0 ? null : await tell(saidTokens - rulesTokens)
  // A message without a line would be lost; what binds in it can be opened by its anchor.
  if (fewer === null || fewer.named < told.named)
    return { text: told.text, whole: told.whole, rulesTokens: 0 }
  return { text: fewer.text, whole: fewer.whole, rulesTokens }
}
