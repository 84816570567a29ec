/**
 * Drafts that language models wrote when they were given our exact requests. Talks and answers
 * are files: `talks/NAME.json`, and `answers/NAME--POLICY.txt` with the first answer.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PolicyName, policies } from 'throughline'
import { type Outcome, play, type Talk } from './play.ts'

export interface Draft {
  readonly talk: Talk
  readonly policy: PolicyName
  readonly answer: string
}

export const fixtures = {
  talks: join(import.meta.dirname, 'talks'),
  answers: join(import.meta.dirname, 'answers'),
} as const

export function readTalks(folder: string): readonly Talk[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Talk)
}

export function readDrafts(talks: readonly Talk[], folder: string): readonly Draft[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, name = '', policy = ''] = /^(.+)--(.+)\.txt$/.exec(file) ?? []
      const talk = talks.find((each) => each.name === name)
      if (talk === undefined || !isPolicy(policy)) throw new Error(`no talk or policy for ${file}`)
      return { talk, policy, answer: readFileSync(join(folder, file), 'utf8').trim() }
    })
}

function isPolicy(name: string): name is PolicyName {
  return Object.hasOwn(policies, name)
}

/** What became of a draft as the answer about its own talk, or about another one. */
export async function outcomeOf(
  { policy, answer }: Draft,
  talk: Talk,
): Promise<Outcome | undefined> {
  return (await play(talk, policy, [answer])).outcomes[0]
}

/** Each draft with another talk for which the same policy asks in the same language. */
export function otherTalks(drafts: readonly Draft[]): readonly (readonly [Draft, Talk])[] {
  return drafts.flatMap((draft, at) => {
    const others = drafts.filter(
      ({ policy, talk }) => policy === draft.policy && talk.name !== draft.talk.name,
    )
    const other = others[at % Math.max(1, others.length)]
    return other === undefined ? [] : [[draft, other.talk] as const]
  })
}
