/**
 * What the five published designs ask for, and what came of each of it: `docs/requirements.json`.
 * The page about it and the check that nothing is without a test both read it here.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Requirement {
  readonly id: string
  /** The design that asks for it; null for what its users asked for. */
  readonly design: '000' | '001' | '002' | '003' | '004' | null
  readonly kind: string
  readonly text: string
  /**
   * `tested`: a test shows it. `resolved`: the designs contradict each other or themselves, and a
   * test shows what we do instead. `none`: nothing that a test could show. `missing`: it should be
   * there and is not.
   */
  readonly state: 'tested' | 'resolved' | 'waits' | 'refused' | 'none' | 'missing'
  /** The resolution, what it waits for, or why it is refused or missing. */
  readonly why?: string | undefined
}

/** How many there are of each series, so that none can be left out of the list unnoticed. */
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
  // A border: the check looks at every field of what is read here.
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Requirement[]
}
