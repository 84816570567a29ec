/** What was seen of one turn that was remembered, for those who check it. */
import { isDeepStrictEqual } from 'node:util'
import type { AfterReply, TurnRecord, TurnRules } from 'throughline/turns'
import type { Finding } from '../kernel/finding.ts'
import type { Expected, ExpectedTurn } from './expected.ts'
import type { AskedOf } from './said-model.ts'

export interface SeenTurn {
  readonly rules: TurnRules
  /** Behind it. */
  readonly expected: Expected
  /** Its own. */
  readonly own: ExpectedTurn
  /** Null where nobody had handed it over. */
  readonly outcome: Extract<AfterReply, { readonly changed: true }> | null
  /** As it is kept. */
  readonly record: TurnRecord
  readonly before: TurnRecord | null
  /** What the model was asked for it; null where others asked at the same time. */
  readonly asked: readonly AskedOf[] | null
  /** What the model has told so far as it should; null where there is no model. */
  readonly told: ReadonlySet<string> | null
  /** Secrets that were said so far. */
  readonly secrets: readonly string[]
}

export type Note = (rule: string, detail: string) => void

/** What a check notes, as findings. */
export function noted(check: (note: Note) => void): readonly Finding[] {
  const findings: Finding[] = []
  check((rule, detail) => findings.push({ rule, detail: detail.slice(0, detailCharacters) }))
  return findings
}

const detailCharacters = 1_000

/** As code points. */
export function characters(text: string): number {
  return [...text].length
}

/**
 * Whole where it has no more than so many characters, else its beginning; in place of a secret
 * stands what kind of secret it was.
 */
export function isWithin(
  kept: string,
  whole: string,
  { most, secrets }: { readonly most: number; readonly secrets: readonly string[] },
): boolean {
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, redacted), whole)
  const told = kept.replaceAll(/\[redacted: [^\]]{1,40}\]/g, redacted)
  if (told === open) return characters(kept) <= most || characters(whole) <= most
  // What stands for a secret may be cut, too.
  const start = told.replace(/…$/, '').replace(/\[[^\]]{0,45}$/, '')
  return characters(whole) > most && characters(kept) <= most && open.startsWith(start)
}

const redacted = '\u2588'

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}
