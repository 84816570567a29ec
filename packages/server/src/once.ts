/** Runs a write at most once for its Idempotency-Key; later requests get the stored answer. */
import type { Access, StoredAnswer, WriteRequest } from './access.ts'
import { problemOf, problemResponse, Refusal } from './problem.ts'

/** How a write runs: `begin` waits for its turn, `inTurn` for other edits of the same conversation. */
interface Running {
  readonly begin: () => Promise<void>
  readonly inTurn: (work: () => Promise<Response>) => Promise<Response>
  readonly run: () => Promise<Response>
}

/** Writes with an Idempotency-Key that run now, with their fingerprints. */
export type RunningWrites = Map<string, string>

export async function once(
  write: WriteRequest,
  { access, writes }: { readonly access: Access; readonly writes: RunningWrites },
  running: Running,
): Promise<Response> {
  const place = JSON.stringify([write.tenant, write.key])
  const fingerprint = writes.get(place)
  if (fingerprint !== undefined)
    throw new Refusal(fingerprint === write.fingerprint ? 'REQUEST_RUNNING' : 'KEY_REUSED')
  writes.set(place, write.fingerprint)
  try {
    await running.begin()
    return await reserved(write, access, running)
  } finally {
    writes.delete(place)
  }
}

async function reserved(
  write: WriteRequest,
  access: Access,
  { inTurn, run }: Running,
): Promise<Response> {
  const reservation = await access.reserve(write)
  if (reservation.kind === 'answered') return storedResponse(reservation.answer)
  if (reservation.kind === 'running') throw new Refusal('REQUEST_RUNNING')
  if (reservation.kind === 'other-request') throw new Refusal('KEY_REUSED')
  if (reservation.kind === 'interrupted' && !write.repeatable) {
    const answer = await answerOf(problemResponse(new Refusal('OUTCOME_UNKNOWN')))
    await access.complete(write, answer)
    return storedResponse(answer)
  }
  // The answer is stored before a later purge of the conversation can run.
  return inTurn(async () => {
    try {
      const answer = await answerOf(await run())
      await access.complete(write, answer)
      return storedResponse(answer)
    } catch (error) {
      // A failure of the server may be tried again.
      const { status, retryable } = problemOf(error)
      if (status >= 500 || retryable) await access.release(write)
      else await access.complete(write, await answerOf(problemResponse(error)))
      throw error
    }
  })
}

async function answerOf(response: Response): Promise<StoredAnswer> {
  const { status, headers } = response
  return { status, etag: headers.get('etag'), body: await response.text() }
}

function storedResponse({ status, etag, body }: StoredAnswer): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return new Response(body, {
    status,
    headers: { 'content-type': type, ...(etag !== null && { etag }) },
  })
}
