/**
 * The requirements of the five published designs and their state: `docs/requirements.json`. Both the
 * coverage page and the check read them here.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Requirement {
  readonly id: string
  /** The design that requires it; null for requests of its users. */
  readonly design: '000' | '001' | '002' | '003' | '004' | null
  readonly kind: string
  readonly text: string
  /**
   * `tested`: a test shows it. `resolved`: the designs contradict each other or themselves, and a
   * test shows what we do instead. `refused`: the package does not do it. `none`: no test could show it.
   */
  readonly state: 'tested' | 'resolved' | 'refused' | 'none'
  /** The resolution, or why it is refused or cannot be tested. */
  readonly why?: string | undefined
}

/** The size of each series, so that an omission from the list is noticed. */
export const seriesSizes: Readonly<Record<string, number>> = {
  S0: 66,
  S1: 118,
  S2: 73,
  S3: 116,
  S4: 35,
  P0: 15,
  P1: 14,
  P2: 12,
  A: 17,
  K: 6,
  H: 4,
  M: 3,
  U: 12,
}

export function readRequirements(): readonly Requirement[] {
  const path = join(import.meta.dirname, '..', 'docs', 'requirements.json')
  // Safe cast: the check validates every field that is read here.
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Requirement[]
}
