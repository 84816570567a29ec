import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { factsExtractor } from '../history/extract-facts.ts'
import { noDerivedRows } from '../read/readers.ts'
import { redactor } from '../redact/redact-message.ts'
import { followUpOf, knownBeforeLine, UsesAfterCompaction } from './follow-up.ts'

/** Messages before the line, messages after it, and the text left in the context. */
async function followUp(
  below: Iterable<MessageInput>,
  since: Iterable<MessageInput>,
  left: readonly string[] = [],
) {
  const sealed = sealMessages([...below], sha256)
  const { rowsBefore } = await factsExtractor(
    { read: async () => sealed },
    noDerivedRows,
  )(sealed.length)
  const uses = new UsesAfterCompaction(redactor().redact)
  const after = sealMessages([...since], sha256)
  for (const message of after) uses.add(message)
  return followUpOf({
    at: 0,
    looked: { from: 0, to: after.length },
    uses,
    known: await knownBeforeLine(rowsBefore(sealed.length), uses),
    contextTexts: left,
    expanded: [],
    redact: redactor().redact,
  })
}

const readOf = (path: string) => build().calls('read', { path }).result('text')

describe('a file opened again', () => {
  it('was read or changed before, not only named, found or looked for in vain', async () => {
    const below = build()
      .calls('read', { path: 'src/read.ts' })
      .result('text')
      .calls('write', { path: '/repo/src/written.ts', content: 'x' })
      .result('ok')
      .calls('read', { path: 'src/missing.ts' })
      .result('no such file', { isError: true })
      .says('There is src/named.ts too.')
    const paths = ['read', 'written', 'missing', 'named', 'new'].map((name) => `src/${name}.ts`)
    const { reopened, reopenedFiles } = await followUp(
      below,
      paths.flatMap((path) => readOf(path).messages),
    )
    expect(reopened.map(({ path }) => path)).toEqual(['src/read.ts', '/repo/src/written.ts'])
    expect(reopenedFiles).toBe(2)
  })

  it('comes before others that were opened less often', async () => {
    const below = [...readOf('src/a.ts'), ...readOf('src/b.ts')]
    const since = ['src/a.ts', 'src/b.ts', 'src/b.ts'].flatMap((path) => readOf(path).messages)
    const { reopened } = await followUp(below, since)
    expect(reopened).toEqual([
      { path: 'src/b.ts', times: 2, places: [3, 5] },
      { path: 'src/a.ts', times: 1, places: [1] },
    ])
  })
})

describe('a name that was needed', () => {
  const below = build().user('It is about order_total_amount and ship_date_column.')

  it('is in compacted messages and was not shown again', async () => {
    const since = build()
      .user('And ship_date_column?')
      .says('I use order_total_amount, ship_date_column and my_own_name.')
    expect((await followUp(below, since)).names).toEqual({
      needed: 1,
      shown: 0,
      missing: ['order_total_amount'],
    })
  })

  it('counts as needed if it is shown again only after its use', async () => {
    const since = build().says('I use order_total_amount.').user('Yes, order_total_amount.')
    expect((await followUp(below, since)).names.needed).toBe(1)
  })

  it('is not missing where the compaction left it in the context', async () => {
    const since = build().says('I use order_total_amount.')
    const { names } = await followUp(below, since, ['nothing', 'it had order_total_amount #0'])
    expect(names).toEqual({ needed: 1, shown: 1, missing: [] })
  })

  it('identifies a file by its name, whatever its folder', async () => {
    const named = build().user('See /repo/src/part/words.ts.')
    const since = build().calls('read', { path: 'part/words.ts' })
    const { names } = await followUp(named, since, ['words.ts  read  #0'])
    expect(names).toEqual({ needed: 1, shown: 1, missing: [] })
  })

  it('is listed up to twenty, and counted further', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `name_of_part_${index}_here`).join(', ')
    const { names } = await followUp(build().user(many), build().says(`I use ${many}.`))
    expect([names.needed, names.shown, names.missing.length]).toEqual([30, 0, 20])
  })
})

describe('the follow-up', () => {
  it('names no secret, from rows or from queries', async () => {
    const password = 'Xk7pQz9TrW2mVb4n'
    const below = build().user(`password=${password}\nsee src/a.ts`)
    const since = build()
      .says(`I log in with password=${password}, then ${password}.`)
      .calls('recall', { query: `password=${password}` })
      .calls('read', { path: `/home/${password}/src/a.ts` })
      .result('text')
    const found = await followUp(below, since)
    expect(found.recalls).toBe(1)
    expect(JSON.stringify(found)).not.toContain(password)
  })
})
