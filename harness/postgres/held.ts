/**
 * Appends whose transactions stay open after their inserts, for up to two seconds, while readers follow
 * each conversation by its places and its events: none may be skipped.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { migratePostgres, postgres } from '@throughline/postgres'
import { createThroughline } from 'throughline'
import { seededFractions } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { rowsOf, withPostgres } from './server.ts'

const conversations = 60

export function runHeld({ appends, seed }: { readonly appends: number; readonly seed: number }) {
  return withPostgres({}, async ({ url }) => {
    await migratePostgres({ url })
    // One of 200 transactions is held open where it has written its message.
    await rowsOf(
      url,
      `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF random() < 0.005 THEN PERFORM pg_sleep(random() * 2); END IF; RETURN NULL; END $$;
       CREATE TRIGGER hold AFTER INSERT ON throughline.messages FOR EACH ROW EXECUTE FUNCTION hold()`,
    )
    const random = seededFractions(seed)
    const store = postgres({ url, maxConnections: 30 })
    const reading = postgres({ url, maxConnections: 8 })
    const writers = createThroughline({ store })
    const readers = createThroughline({ store: reading })
    const findings: Finding[] = []
    const heads = new Map<string, number>()
    let [left, isOver, reads] = [appends, false, 0]
    const write = async () => {
      while (left > 0) {
        left -= 1
        const id = `c${Math.floor(random() * conversations)}`
        const { head } = await writers.conversation(id).append({ role: 'user', content: 'x' })
        heads.set(id, Math.max(heads.get(id) ?? 0, head))
      }
    }
    const follow = async (id: string) => {
      const chat = readers.conversation(id)
      let [place, event] = [0, 0]
      for (let last = false; !last; ) {
        last = isOver
        if ((await chat.info()) !== null) {
          reads += 1
          for await (const { seq } of chat.messages({ from: place })) {
            if (seq !== place)
              findings.push({ rule: 'skipped', detail: `${id}: ${place} → ${seq}` })
            place = seq + 1
          }
          for (const { number } of await chat.events({ after: event, limit: 1_000 })) {
            if (number !== event + 1)
              findings.push({ rule: 'skipped-event', detail: `${id}: ${event} → ${number}` })
            event = number
          }
        }
        await wait(20)
      }
      while (event < (heads.get(id) ?? 0)) {
        const page = await chat.events({ after: event, limit: 1_000 })
        if (page.length === 0) break
        event = page.at(-1)?.number ?? event
      }
      const head = heads.get(id) ?? 0
      if (place !== head) findings.push({ rule: 'missed', detail: `${id}: ${place} of ${head}` })
    }
    const following = Array.from({ length: conversations }, (_, at) => follow(`c${at}`))
    await Promise.all(Array.from({ length: 30 }, write))
    isOver = true
    await Promise.all(following)
    await Promise.all([store.close(), reading.close()])
    return { findings, appends, reads }
  })
}
