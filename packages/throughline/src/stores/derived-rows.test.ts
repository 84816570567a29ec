/** Writing derived rows, with details that the contract leaves open. */
import { derivedKinds } from '../domain/derived-kinds.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { same } from '../testing/contract.ts'
import { append, commit, id, put, row, rowsOf } from '../testing/store-cases/case.test-support.ts'

onBothStores('derived rows', {
  'changes the label of one key alone': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    await put(tenant, [
      row({ key: 'a', label: 'x' }),
      row({ key: 'b', label: 'x' }),
      row({ key: 'a', position: 2, label: 'y' }),
    ])
    await commit(tenant, { relabel: [{ kind: 'asking', key: 'a', label: 'z' }] })
    const labels = (await rowsOf(tenant, { kind: 'asking' }))?.map(({ key, label }) => key + label)
    same(labels, ['az', 'bx', 'az'], 'the labels')
  },
  'gives rows of one record the positions after the last one': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    const turn = { ...row({ kind: 'turn', bound: 1 }), position: 'next' } as const
    for (const put of [[turn], [turn, turn]])
      same((await tenant.record({ id, put })).kind, 'recorded', 'the record')
    const positions = (await rowsOf(tenant, { kind: 'turn' }))?.map(({ position }) => position)
    same(positions, [1, 2, 3], 'the positions')
  },
  'sorts by bound, then position, then key, and rows without a bound first': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 1)
    const names = ['5a3', '4a0', '3a-', '2a0', '1b7', '1a7', '0a-']
    await put(
      tenant,
      names.map(([position, key = '', bound]) =>
        row({ position: Number(position), key, bound: bound === '-' ? null : Number(bound) }),
      ),
    )
    const found = async (order: 'first' | 'last' | 'least' | 'most') => {
      const rows = await rowsOf(tenant, { kind: 'asking', order })
      return rows?.map(({ position, key, bound }) => `${position}${key}${bound ?? '-'}`)
    }
    const byPosition = ['0a-', '1a7', '1b7', '2a0', '3a-', '4a0', '5a3']
    same(await found('first'), byPosition, 'from the first')
    same(await found('last'), byPosition.toReversed(), 'from the last')
    const byBound = ['0a-', '3a-', '2a0', '4a0', '5a3', '1a7', '1b7']
    same(await found('least'), byBound, 'from the least')
    same(await found('most'), byBound.toReversed(), 'from the most')
  },
  'keeps as many rows as the kind says, without the oldest': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const { kept } = derivedKinds.request
    const positions = async () => {
      const rows = await rowsOf(tenant, { kind: 'request' })
      return [rows?.length, rows?.at(0)?.position, rows?.at(-1)?.position]
    }
    const most = kept ?? 0
    const request = { ...row({ kind: 'request' }), position: 'next' } as const
    for (let count = 0; count < most; count += 1) await tenant.record({ id, put: [request] })
    same(await positions(), [most, 1, most], 'as many as are kept')
    for (const _ of [1, 2]) await tenant.record({ id, put: [request] })
    same(await positions(), [most, 3, most + 2], 'two more')
  },
})
