/** Reading around messages that are not wanted, and back from a place. */
import type { TenantStore } from '../../ports/store.ts'
import { given, same } from '../contract.ts'
import type { Bench, StoreCases } from './case.ts'

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({
    role: 'user' as const,
    content: `${from + index}`,
  }))

/** Ten messages: five of a source and five of a fork, which is read in two pieces. */
async function tenMessages({ tl, store }: Bench): Promise<TenantStore> {
  const source = tl.conversation('source')
  await source.append(numbered(0, 7))
  const fork = given(await source.history.fork(5, 'c'))
  await fork.append(numbered(5, 10))
  return store.tenant('default' as never)
}

const id = 'c' as never

export const readCases: StoreCases = {
  'reads a span without the places that are left out': async (bench) => {
    const tenant = await tenMessages(bench)
    const places = async (from: number, to: number, except?: readonly number[]) =>
      (await tenant.read({ id, span: { from, to }, ...(except && { except }) }))?.map(
        ({ seq, parts: [part] }) => (part?.type === 'text' && part.text === `${seq}` ? seq : part),
      )
    same(await places(0, 10, []), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'nothing left out')
    same(await places(0, 10, [0, 4, 5, 9]), [1, 2, 3, 6, 7, 8], 'borders left out')
    same(await places(3, 7, [0, 1, 4, 8, 99]), [3, 5, 6], 'places outside the span')
    same(await places(6, 8, [6, 7]), [], 'everything left out')
    same(await places(8, 99, [8, 12]), [9], 'a span across the end')
    same(await places(4, 4, [4]), [], 'an empty span')
    const absent = { id: 'x' as never, span: { from: 0, to: 1 }, except: [0] }
    same(await tenant.read(absent), null, 'a conversation that is not there')
  },
  'reads back from a place, in the order of the log': async (bench) => {
    const tenant = await tenMessages(bench)
    const places = async (before: number, limit: number) =>
      (await tenant.read({ id, before, limit }))?.map(({ seq }) => seq)
    same(await places(8, 2), [6, 7], 'two')
    same(await places(7, 4), [3, 4, 5, 6], 'across the point of a fork')
    same(await places(3, 99), [0, 1, 2], 'more than there are')
    same(await places(Number.MAX_SAFE_INTEGER, 2), [8, 9], 'from the end')
    same(await places(0, 5), [], 'before the first')
    same(await places(5, 0), [], 'none')
    const absent = await tenant.read({ id: 'x' as never, before: 5, limit: 5 })
    same(absent, null, 'a conversation that is not there')
  },
}
