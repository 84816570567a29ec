/** Where a model is asked over HTTP, by which API, and with which key. */
import { describe } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'

/**
 * `openai`: chat completions, which most servers speak, Ollama, vLLM and LM Studio among them.
 * `anthropic`: messages.
 */
export type HttpApi = 'openai' | 'anthropic'

export interface HttpEndpoint {
  readonly api: HttpApi
  /** With the version, as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Null where none is needed. */
  readonly key: string | null
  /** As the provider calls it. */
  readonly model: string
}

export function addressOf({ api, baseUrl }: HttpEndpoint): string {
  return `${baseUrl.replace(/\/+$/, '')}/${api === 'openai' ? 'chat/completions' : 'messages'}`
}

/** The headers that carry the key, and the version where the API wants one. See `streamReply`. */
export function keyHeaders({
  api,
  key,
}: Pick<HttpEndpoint, 'api' | 'key'>): Readonly<Record<string, string>> {
  if (api === 'anthropic')
    return { 'anthropic-version': '2023-06-01', ...(key !== null && { 'x-api-key': key }) }
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

/** Throws for what can never be asked. No message tells the key. */
export function checkEndpoint({ api, baseUrl, key, model }: HttpEndpoint): void {
  if (api !== 'openai' && api !== 'anthropic')
    throw invalid(`api must be "openai" or "anthropic", got ${describe(api)}`)
  if (!isAddress(baseUrl))
    throw invalid(
      'baseUrl must be an http address without a name or a password, as https://api.openai.com/v1',
    )
  if (key !== null && (typeof key !== 'string' || !/^[\u0021-\u007e]+$/.test(key)))
    throw invalid('the key is empty, or holds what cannot stand in a header, such as a line break')
  if (typeof model !== 'string' || model.trim() === '')
    throw invalid('the name of a model cannot be empty')
}

function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && `${username}${password}` === ''
}

function invalid(why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `a model over HTTP: ${why}`)
}
