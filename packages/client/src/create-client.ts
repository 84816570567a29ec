/** The entry point: options become handles of the conversations of one tenant, that of the key. */
import { type TenantHandle, ThroughlineError } from 'throughline'
import { type RemoteConversation, remoteConversation } from './remote-conversation.ts'
import { remoteTenant } from './remote-tenant.ts'
import { createSender, type SenderOptions } from './send.ts'

/** The options of a client. */
export interface ClientOptions {
  /** The address of the server, such as `https://throughline.example`. */
  readonly url: string
  /** A key of the server; its tenant and its role decide what the client may do. */
  readonly key: string | undefined
  /** How often a failed request is sent again; 4 by default. Repeated writes have no second effect. */
  readonly retries?: number | undefined
  /** The longest wait for an answer, per attempt; 150,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Aborts all requests of the client. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The conversations of a server: what `createThroughline` returns, as far as a server offers it. */
export interface Client extends Omit<TenantHandle, 'begin' | 'conversation'> {
  conversation(id: string): RemoteConversation
  begin: (
    ...args: Parameters<TenantHandle['begin']>
  ) => Promise<
    | Exclude<Awaited<ReturnType<TenantHandle['begin']>>, { readonly ok: true }>
    | { readonly ok: true; readonly value: RemoteConversation }
  >
  /** The same client; its requests also end with this signal. */
  withSignal(signal: AbortSignal): Client
  /** Ends all requests and event streams. The server continues. */
  close(): Promise<void>
}

/**
 * A client of a server.
 *
 * @example
 * const tl = createClient({ url: 'http://127.0.0.1:8787', key: process.env.THROUGHLINE_KEY })
 * await tl.conversation('invoice-7').append({ role: 'user', content: 'And the invoice?' })
 */
export function createClient(options: ClientOptions): Client {
  const closing = new AbortController()
  return clientOf(checked(options), closing, [closing.signal, ...signalsOf(options)])
}

function clientOf(
  options: SenderOptions,
  closing: AbortController,
  signals: readonly AbortSignal[],
): Client {
  const sender = createSender(options, AbortSignal.any([...signals]))
  return {
    ...remoteTenant(sender),
    conversation: (id) => remoteConversation(sender, id),
    withSignal: (signal) => clientOf(options, closing, [...signals, signal]),
    close: async () => closing.abort(new ThroughlineError('STORE_CLOSED', 'the client is closed')),
  }
}

const known = ['url', 'key', 'retries', 'timeoutMs', 'signal', 'fetch']

function checked(options: ClientOptions): SenderOptions {
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw invalid(`createClient has no option "${unknown}"; it takes ${known.join(', ')}`)
  const { url, key, retries = 4, timeoutMs = 150_000, fetch = globalThis.fetch } = options
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw invalid('url must be the address of a server, such as "https://throughline.example"')
  if (typeof key !== 'string' || !/^\S{1,200}$/.test(key))
    throw invalid('key must be a key of the server; is the environment variable set?')
  for (const [name, value] of Object.entries({ retries, timeoutMs }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw invalid(`${name} must be a whole number from 0`)
  // A method of globalThis that is called without it fails in browsers.
  return {
    url: url.replace(/\/+$/, ''),
    key,
    retries,
    timeoutMs,
    fetch: (...args) => fetch(...args),
  }
}

function signalsOf({ signal }: ClientOptions): readonly AbortSignal[] {
  if (signal === undefined) return []
  if (!(signal instanceof AbortSignal)) throw invalid('signal must be an AbortSignal')
  return [signal]
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `client: ${message}`)
}
