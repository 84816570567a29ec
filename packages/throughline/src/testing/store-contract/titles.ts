/** A title that was made from a message goes with it; one that a caller set stays. */
import { build } from '../build.ts'
import { given, same } from '../contract.ts'
import type { StoreCases } from './case.ts'

export const titleCases: StoreCases = {
  'makes a title from a message, without secrets and in one line': async ({ chat }) => {
    const address = (password: string) => `clone https://ada:${password}@example.com/a.git`
    await chat.append([...build().user('  Look at\n the gate  ').user(address('hunter2'))])
    const named = async (titleFrom: number) => {
      const { title, titleFrom: from } = given(await chat.update({ titleFrom }))
      return [title, from]
    }
    same(await named(0), ['Look at the gate', 0], 'the title')
    same(await named(1), [address('[redacted: password in an address]'), 1], 'a secret')
    same((await chat.update({ titleFrom: 7 })).ok, false, 'a place after the end')
    same(given(await chat.update({ title: 'Mine' })).titleFrom, null, 'the title of a caller')
    same((await chat.info())?.titleFrom, null, 'the same, read back')
  },
  'makes the title again when its message is edited, removed or purged': async ({ chat }) => {
    await chat.append([...build().user('first canary').says('b').user('second').user('third')])
    given(await chat.update({ titleFrom: 0 }))
    const title = async () => {
      const { title, titleFrom } = (await chat.info()) ?? {}
      return [title, titleFrom]
    }
    given(await chat.history.edit(0, { role: 'user', content: 'first again' }))
    same(await title(), ['first again', 0], 'after an edit')
    given(await chat.history.remove(1))
    same(await title(), ['first again', 0], 'after another message went')
    given(await chat.history.remove(0))
    same(await title(), ['second', 2], 'after a removal')
    await chat.history.purgeMessage(2)
    same(await title(), ['third', 3], 'after a purge')
    await chat.history.purgeMessage(3)
    same(await title(), [null, null], 'where no words are left')
  },
  'keeps the title of a caller, whatever messages say': async ({ tl }) => {
    const chat = given(await tl.begin('c', { title: 'first' }))
    await chat.append([...build().user('first').user('second')])
    await chat.history.purgeMessage(0)
    same((await chat.info())?.title, 'first', 'the title')
  },
  'purges a title from the forks that share its message, and removes it from none': async ({
    chat,
  }) => {
    await chat.append([...build().user('canary').user('second').user('third')])
    const fork = given(await chat.history.fork(2, 'fork'))
    given(await fork.update({ titleFrom: 0 }))
    const late = given(await chat.history.fork(2, 'late'))
    given(await late.update({ titleFrom: 1 }))
    given(await chat.history.remove(1))
    same((await late.info())?.title, 'second', 'of what is removed elsewhere')
    await chat.history.purgeMessage(0, { forks: 'purge' })
    same((await fork.info())?.title, 'second', 'of what is purged everywhere')
    same((await late.info())?.title, 'second', 'of another message')
  },
}
