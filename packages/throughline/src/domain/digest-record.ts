/**
 * What models have told of one message that is too large to be shown: its stub holds it from
 * the next epoch on. A message never changes, so neither does what was told of it. Plain JSON.
 */
import type { Seq } from './ids.ts'
import type { MadeBy } from './summary.ts'

export interface DigestRecord {
  readonly seq: Seq
  readonly text: string
  readonly madeBy: MadeBy
  /** Parts of it are excerpts, because no model has told them. */
  readonly degraded: boolean
  readonly createdAt: number
}
