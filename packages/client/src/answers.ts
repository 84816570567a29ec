/** Answers as the values that a conversation in the same process returns. */
import type { Context, Result } from 'throughline'
import { wholePlace } from './anchors.ts'
import { bytesOf } from './json-values.ts'
import { refusedError } from './problem.ts'
import type { Call, Sender } from './send.ts'

/** The JSON of an answer; throws for any problem. */
export async function read<Value>(sender: Sender, call: Call): Promise<Value> {
  const answer = await sender.send(call)
  if (!answer.ok) throw refusedError(answer.problem)
  return (await answer.response.json()) as Value
}

/** Null where there is nothing. */
export async function readOrNull<Value>(
  sender: Sender,
  call: Call,
  take: (response: Response) => Promise<Value>,
): Promise<Value | null> {
  const answer = await sender.send(call)
  if (answer.ok) return take(answer.response)
  if (answer.problem.code === 'NOT_FOUND') return null
  throw refusedError(answer.problem)
}

/** The items of a list; none where there is no conversation. */
export async function readItems<Item>(sender: Sender, call: Call): Promise<readonly Item[]> {
  const body = await readOrNull(sender, call, (response) => response.json())
  return (body as { readonly items: readonly Item[] } | null)?.items ?? []
}

/** The items of all pages. */
export async function readAll<Item>(sender: Sender, call: Call): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...call.query, cursor }
    const page = await readOrNull(
      sender,
      { ...call, query },
      (response) => response.json() as Promise<Page<Item>>,
    )
    items.push(...(page?.items ?? []))
    cursor = page?.next ?? null
  }
  return items
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** A value, or the failure that the engine returns in its place. */
export async function readResult<Value, Failure extends { readonly kind: string }>(
  sender: Sender,
  call: Call,
  missing: Failure['kind'] = 'not-found',
): Promise<Result<Value, Failure>> {
  const answer = await sender.send(call)
  if (answer.ok) return { ok: true, value: (await answer.response.json()) as Value }
  const { problem } = answer
  // The server states the failure; without a conversation it states none.
  const failure = problem.failure ?? (problem.code === 'NOT_FOUND' ? { kind: missing } : null)
  if (failure === null) throw refusedError(problem)
  return { ok: false, failure: failure as Failure }
}

/** Files are base64 by their hash in JSON, and bytes in a map in the engine. */
export function contextOf(json: Context): Context {
  const files = Object.entries(json.files as unknown as Readonly<Record<string, string>>)
  return { ...json, files: new Map(files.map(([hash, data]) => [hash, bytesOf(data)])) }
}

const pageMost = 1_000

/** Reads pages of at most a thousand until there are `limit` items, or no more. */
export async function readPages<Item>(
  limit: number,
  page: (last: Item | undefined, limit: number) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  wholePlace(limit)
  while (items.length < limit) {
    const asked = Math.min(limit - items.length, pageMost)
    const found = await page(items.at(-1), asked)
    items.push(...found)
    if (found.length < asked) break
  }
  return items
}
