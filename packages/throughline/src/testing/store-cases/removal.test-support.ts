/** Tenants see only their own conversations, and a purge deletes everything. */
import { loadConversation } from '../../derived/state.ts'
import { conversationId, tenantId } from '../../domain/ids.ts'
import { build } from '../build.ts'
import { given, pluck, same } from '../contract.ts'
import { alreadyPurged, purged, type StoreCases } from './case.test-support.ts'

export const removalCases: StoreCases = {
  'shows a tenant nothing of another': async ({ tl }) => {
    const [ours, theirs] = [tl.tenant('a'), tl.tenant('ab')]
    await ours.conversation('c').append({ role: 'user', content: 'secret' })
    same(await theirs.conversation('c').info(), null, 'a conversation of the same id')
    same(await theirs.list(), [], 'the list')
    same(await Array.fromAsync(theirs.conversation('c').messages()), [], 'messages')
    same(await theirs.conversation('c').original(0), null, 'an original')
    same(await theirs.conversation('c').events(), [], 'events')
    same((await theirs.conversation('c').history.purge()).kind, 'not-found', 'a purge')
    same((await theirs.conversation('c').history.fork(1, 'f')).ok, false, 'a fork')
    same((await ours.conversation('c').info())?.head, 1, 'our own')
  },
  'lists conversations by id, page by page': async ({ tl }) => {
    for (const id of ['b', 'a', 'c', 'B', '\ufffd', '\u{1f600}'])
      await tl.conversation(id).append({ role: 'user', content: id })
    const ids = async (query: Parameters<typeof tl.list>[0]) =>
      (await tl.list(query)).map((conversation) => conversation.id)
    const all = ['B', 'a', 'b', 'c', '\ufffd', '\u{1f600}']
    same(await ids({}), all, 'all, in the order of code points')
    same(await ids({ after: '\ufffd' }), ['\u{1f600}'], 'the last page')
    same(await ids({ limit: 2 }), ['B', 'a'], 'the first page')
    same(await ids({ limit: 2, after: 'a' }), ['b', 'c'], 'the next page')
  },
  'lists conversations by their last messages, forks and empty ones too': async (bench) => {
    const { tl, store: whole } = bench
    const store = whole.tenant(tenantId('default'))
    const say = (id: string, ...times: readonly number[]) =>
      tl
        .conversation(id)
        .append(times.map((createdAt) => ({ role: 'user', content: `at ${createdAt}`, createdAt })))
    await say('early', 10, 20)
    // Only the message at the end counts.
    await say('backward', 90, 30)
    await say('late', 5, 60)
    await say('b', 40)
    await say('a', 40)
    given(await tl.conversation('backward').history.fork(1, 'fork'))
    given(await tl.conversation('fork').history.fork(1, 'fork-of-fork'))
    given(await tl.conversation('late').history.fork(1, 'continued'))
    await say('continued', 25)
    const all = await store.list({ by: 'latest', limit: null })
    const listed = all.map(({ conversation, lastAt }) => `${conversation.id} ${lastAt}`).join()
    const expected = 'fork-of-fork 90,fork 90,late 60,b 40,a 40,backward 30,continued 25,early 20'
    same(listed, expected, 'all of them')
    const [first] = await store.list({ by: 'latest', limit: 1 })
    same(first?.conversation, await loadConversation(store, conversationId('fork-of-fork')), 'one')
    const created = given(await tl.begin('empty'))
    const { createdAt } = (await created.info()) ?? {}
    const later = await store.list({ by: 'latest', limit: null })
    const found = later.find(({ conversation }) => conversation.id === created.id)
    same(found?.lastAt, createdAt, 'the time of one without messages')
  },
  'purges a conversation with its children, and a new one starts at 0': async ({ tl, chat }) => {
    await chat.append([...build().user('go').calls('task')], { key: 'k' })
    await tl.begin('child', { parent: { conversationId: chat.id, callId: 'call-0' } })
    await tl.begin('grandchild', { parent: { conversationId: 'child' } })
    await tl.conversation('bystander').append({ role: 'user', content: 'stays' })
    same(await chat.history.purge(), purged('c', 'child', 'grandchild'), 'the outcome')
    same(pluck(await tl.list(), 'id'), ['bystander'], 'what is left')
    same(await chat.history.purge(), alreadyPurged, 'a second purge')
    const again = await chat.append({ role: 'user', content: 'new' }, { key: 'k' })
    same([again.head, again.entries[0]?.repeated], [1, false], 'a new conversation')
    same(pluck(await chat.events(), 'number'), [1, 2], 'its events')
  },
  'refuses to purge the source of a fork without its forks': async ({ tl, chat }) => {
    await chat.append([...build().user('a').says('b')])
    const fork = given(await chat.history.fork(1, 'f'))
    await fork.append({ role: 'user', content: 'own' })
    await fork.history.fork(2, 'g')
    same(await chat.history.purge(), { kind: 'has-forks', forks: ['f'] }, 'the refusal')
    same((await chat.info())?.head, 2, 'the source')
    same(await chat.history.purge({ forks: 'purge' }), purged('c', 'f', 'g'), 'the outcome')
    same(await tl.list(), [], 'what is left')
  },
  'purges a fork that is the parent of its own source': async ({ tl }) => {
    await tl.begin('source', { parent: { conversationId: 'fork' } })
    given(await tl.conversation('source').history.fork(0, 'fork'))
    same(await tl.conversation('fork').history.purge(), purged('fork', 'source'), 'the outcome')
    same(await tl.list(), [], 'what is left')
  },
  'purges conversations that are each the parent of the other': async ({ tl }) => {
    await tl.begin('a', { parent: { conversationId: 'b' } })
    await tl.begin('b', { parent: { conversationId: 'a' } })
    same(await tl.conversation('a').history.purge(), purged('a', 'b'), 'the outcome')
  },
}
