/** Runs a summarizer that breaks down in every known way, under every policy that calls one. */
import { type PolicyName, policies } from 'throughline'
import { fixtures, play, readTalks, type Talk } from '../drafts/drafts.ts'
import type { Attack, AttackOptions, AttackReport } from './attack.ts'

export const degenerateDrafts: Attack = {
  name: 'degenerate-drafts',
  run,
}

const empty =
  'The user and the assistant had a good conversation. Several things were discussed, and some progress was made.'

/** In the language of our instructions, and unrelated to the German talk. */
const advert =
  'Upgrade to the premium plan today and get 50 percent off. The offer ends soon, and thousands of happy customers have already joined.'

/** Text that is in no talk and that no summary may contain. */
const drafts: readonly string[] = [
  'A'.repeat(400),
  'The user asked for help and the assistant answered the question. '.repeat(40),
  'na '.repeat(200),
  'asdkfjh qwoeiru zxmcnbv lkjhgfd poiuytr mnbvcxz qpwlskd jfhgmzn xbcvqwe rtyplkj',
  'Summary: [insert summary here]',
  '<summary>',
  '## Summary\n[Write the summary here]\n\n## Decisions\n- [add decisions]',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt.',
  '.'.repeat(300),
  empty,
  'Пользователь хотел узнать, почему счёт ещё не пришёл, и помощник уже проверил адрес. Это для него важно.',
  '用户想知道为什么订单还没有到，助手检查了地址，并答应明天再寄一次发票。',
]

/** About the talk, but repeated in a loop. */
function looping({ messages }: Talk): readonly string[] {
  const words = JSON.stringify(messages).match(/(?<![\w\\])[a-z]{8,14}(?!\w)/g) ?? []
  const truth = `The user spoke of ${[...new Set(words)].slice(0, 6).join(', ')}.`
  return [`${truth} `.repeat(40), `${'A'.repeat(400)} ${truth}`]
}

// One policy per prompt.
const sampled: readonly PolicyName[] = ['ratio-chain', 'rolling-rows', 'rule-digest']
const english = ['planning-family-trip', 'flaky-test-queue-library', 'town-council-bus-line']

async function run({ whole }: AttackOptions): Promise<AttackReport> {
  const talks = readTalks(fixtures.talks).filter(({ name }) => english.includes(name))
  const german = readTalks(fixtures.talks).filter(({ name }) => name === 'umbau-einer-kueche')
  const names = whole ? (Object.keys(policies) as readonly PolicyName[]) : sampled
  const cases = talks
    .slice(0, whole ? talks.length : 1)
    .flatMap((talk) =>
      names.flatMap((policy) =>
        [...drafts, ...looping(talk)].map((draft) => ({ talk, policy, draft })),
      ),
    )
  for (const talk of german) for (const policy of names) cases.push({ talk, policy, draft: advert })
  // Most of the time is spent waiting before retries, so all probes run at once.
  const found = (await Promise.all(cases.map(probe))).filter((each) => each !== null)
  return { probes: found.length, findings: found.flat() }
}

/** Null if the policy calls no model for this talk. */
async function probe({
  talk,
  policy,
  draft,
}: {
  readonly talk: Talk
  readonly policy: PolicyName
  readonly draft: string
}): Promise<readonly string[] | null> {
  const form = JSON.stringify({ summary: draft, keyPoints: [draft] })
  const isForm = policies[policy].summarizers.some(({ style }) => style === 'structured')
  const answers = Array.from({ length: 24 }, () => (isForm ? form : draft))
  const { outcomes, context } = await play(talk, policy, answers)
  if (outcomes.length === 0) return null
  const shown = JSON.stringify(context.messages)
  const isShown = shown.includes(JSON.stringify(draft.slice(0, 40)).slice(1, -1))
  const isAccepted = outcomes.some(({ kind }) => kind === 'accepted')
  return isShown || isAccepted
    ? [`${policy} on ${talk.name} accepted ${JSON.stringify(draft.slice(0, 60))}`]
    : []
}
