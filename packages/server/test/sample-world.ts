/** A server with a tenant, a conversation in which every operation has something to do, and its keys. */
import { createThroughline, type LanguageModel, type Store, type Throughline } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { afterReply } from 'throughline/turns'
import {
  createServer,
  type Role,
  type Server,
  type ServerOptions,
  type SqliteAccess,
  sqliteAccess,
} from '../src/index.ts'
import { type Answered, type Operation, operationsOf } from './operations.ts'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly key?: string | null | undefined
  /** The text of the body. */
  readonly text?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface SampleWorld {
  readonly server: Server
  readonly access: SqliteAccess
  readonly operations: readonly Operation[]
  /** Secrets of the tenant `home`, and of `away`, which has nothing. */
  readonly secrets: Readonly<Record<Role | 'other', string>>
  /** Of the conversation of `home`. */
  readonly facts: SampleFacts
  readonly throughline: Throughline
  /** Gives a tenant a conversation `talk` with this word in each message. */
  fill(tenant: string, word: string): Promise<SampleFacts>
  send(sent: Sent): Promise<Answered & { readonly headers: Headers }>
  close(): Promise<void>
}

/** What operations name in their requests. */
export interface SampleFacts {
  readonly conversation: string
  readonly model: string
  readonly fingerprint: string
  readonly version: number
  readonly sha256: string
  readonly keyId: string
}

export const sampleModel = 'small'
/** A model without a compaction so far. */
export const otherModel = 'small-too'
/** A word of each message of the conversation `talk`. */
export const canary = 'canary-47113'

const chatModel: LanguageModel = {
  id: otherModel,
  card: null,
  generate: async () => ({
    ...({ kind: 'answered', finish: 'stop', model: otherModel } as const),
    ...{ text: 'It is paid.', usage: null },
  }),
}

export interface WorldOptions
  extends Partial<Pick<ServerOptions, 'limits' | 'hosts' | 'origins' | 'chatModel'>> {
  readonly store?: Store | undefined
  readonly accessFile?: string | undefined
  readonly now?: (() => number) | undefined
  /** Leaves `home` without a conversation. */
  readonly isEmpty?: boolean | undefined
}

export async function sampleWorld({
  store = memory(),
  accessFile = ':memory:',
  now,
  isEmpty = false,
  ...options
}: WorldOptions = {}): Promise<SampleWorld> {
  const card = { contextWindowTokens: 2048, tokenizer: 'o200k_base' as const }
  const models = [sampleModel, otherModel].map((id) => ({ id, ...card }))
  const clock = now && { now }
  const throughline = createThroughline({ store, models, clock })
  const access = sqliteAccess(accessFile, now)
  const secretOf = (tenant: string, role: Role) => access.createKey({ tenant, name: role, role })
  const { key, secret: read } = secretOf('home', 'read')
  const secrets = {
    ...{ read, write: secretOf('home', 'write').secret, admin: secretOf('home', 'admin').secret },
    other: secretOf('away', 'admin').secret,
  }
  const limits = { maxBodyBytes: 200_000, requestsPerMinute: 10_000_000, ...options.limits }
  const server = createServer({ throughline, access, chatModel, ...options, limits })
  const send = async ({ method, path, key: secret, text, headers }: Sent) => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(secret !== null && { authorization: `Bearer ${secret ?? secrets.admin}` }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text !== undefined && { body: text }),
      }),
    )
    const type = response.headers.get('content-type') ?? ''
    const isStream = type.startsWith('text/event-stream')
    const answer = isStream ? await firstChunk(response) : await response.text()
    return { status: response.status, type, text: answer, headers: response.headers }
  }
  const document = await server.fetch(new Request('http://localhost/openapi.json'))
  const fillTenant = async (tenant: string, word: string) => ({
    ...(await fill(throughline.tenant(tenant), word)),
    keyId: key.id,
  })
  const facts = isEmpty ? noFacts : await fillTenant('home', canary)
  return {
    ...{ server, access, secrets, send, throughline, facts, fill: fillTenant },
    operations: operationsOf((await document.json()) as Parameters<typeof operationsOf>[0]),
    close: async () => {
      await server.stop()
      await throughline.close()
      access.close()
    },
  }
}

const noFacts = {
  conversation: 'talk',
  model: '',
  fingerprint: '',
  version: 0,
  sha256: '',
  keyId: '',
}

async function firstChunk(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

type Tenant = ReturnType<Throughline['tenant']>

async function fill(tenant: Tenant, word: string): Promise<Omit<SampleFacts, 'keyId'>> {
  const conversation = 'talk'
  const chat = tenant.conversation(conversation)
  const words = `${word} ${'We decided to use port 47113 in src/server.ts. '.repeat(20)}`
  await chat.append([
    { role: 'user', content: `Read src/server.ts. ${word}` },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', callId: 'c1', name: 'read', input: { path: 'src/server.ts' } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'c1', output: words }] },
    { role: 'assistant', content: words },
    {
      role: 'user',
      content: [
        { type: 'text', text: word },
        { type: 'file', mediaType: 'text/plain', data: 'aGVsbG8=' },
      ],
    },
    ...Array.from({ length: 8 }, (_, at) => ({
      role: at % 2 === 0 ? ('assistant' as const) : ('user' as const),
      content: words,
    })),
  ])
  await rememberTurn(chat, word)
  await chat.append({ role: 'user', content: `And the invoice? ${word}` })
  await chat.compact({ model: sampleModel })
  const { fingerprint } = await chat.context({ model: sampleModel })
  const [{ version } = { version: 0 }] = await chat.history.versions()
  const [file] = await Array.fromAsync(chat.messages({ from: 4, to: 5 }))
  const part = file?.parts.find(({ type }) => type === 'file')
  const source = part?.type === 'file' ? part.source : null
  const sha256 = source?.kind === 'stored' ? source.sha256 : ''
  return { conversation, model: sampleModel, fingerprint, version, sha256 }
}

async function rememberTurn(chat: ReturnType<Tenant['conversation']>, word: string): Promise<void> {
  await afterReply(chat, {
    userMessage: `Read src/server.ts. ${word}`,
    finalResponse: `Done. ${word}`,
    steps: [{ description: 'read', result: { port: 47113 } }],
    entities: [{ id: 'r-1', type: 'recipe', label: 'Soup', source: 'db_read' }],
  })
}
