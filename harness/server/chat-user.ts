/** What a chat user sends: a message, the request for a context, the model's reply; now and then a look back. */

export interface Sent {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: object
  /** Its Idempotency-Key, which `@throughline/client` sends with each write. */
  readonly key?: string
}

/** Returns a function for the next request of this user. */
export function chatUser(id: string, random: () => number): () => Sent {
  const at = `/v1/conversations/${id}`
  let sent = Math.floor(random() * turn)
  // A kept folder has the answers of earlier runs.
  const run = Date.now()
  const append = (role: 'user' | 'assistant'): Sent => ({
    ...{ name: 'append', method: 'POST', path: `${at}/messages` },
    body: { messages: [{ role, content: chatText(random, role) }] },
    key: `${id}-${run}-${sent}-${random()}`,
  })
  const lookBack = (): Sent => {
    const draw = random()
    if (draw < 0.5) return { name: 'list', method: 'GET', path: `${at}/messages?limit=20` }
    if (draw < 0.75) return { name: 'info', method: 'GET', path: at }
    const query = encodeURIComponent(`${word(random)} ${word(random)}`)
    return { name: 'recall', method: 'GET', path: `${at}/recall?query=${query}&limit=5` }
  }
  return () => {
    sent += 1
    const step = sent % turn
    if (step === turn - 1) return lookBack()
    if (step % 3 === 0) return append('user')
    if (step % 3 === 2) return append('assistant')
    const body = { model: 'gpt-4o' }
    return { name: 'context', method: 'POST', path: `${at}/context`, body }
  }
}

/** Three turns of three requests, and a look back. */
const turn = 10

/** About 40 words of a user, about 150 of a model. */
export function chatText(random: () => number, role: 'user' | 'assistant'): string {
  const words = Math.floor((role === 'user' ? 10 : 50) + random() * (role === 'user' ? 60 : 200))
  return Array.from({ length: words }, () => word(random)).join(' ')
}

/** Some words are frequent, most are rare, as in any text. */
function word(random: () => number): string {
  const rank = Math.floor(5000 * random() ** 2)
  const [first = '', second = ''] = [rank % 70, Math.floor(rank / 70)].map((at) => syllables[at])
  return first + second
}

const syllables = Array.from(
  { length: 72 },
  (_, at) => 'bcdfglmnprstvz'.charAt(at % 14) + 'aeiou'.charAt(at % 5) + 'rnstlk'.charAt(at % 6),
)
