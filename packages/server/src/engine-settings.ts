/** The settings of the engine in a server: its policy, models and summarizer. Keys come only from the environment. */
import { ThroughlineError, type ThroughlineOptions } from 'throughline'
import { httpModel, knownProviders, type LanguageModel } from 'throughline/models'
import * as v from 'valibot'

const fields = v.record(v.string(), v.unknown())
const price = v.pipe(v.number(), v.minValue(0))

const languageModel = v.strictObject({
  /** As `openai/gpt-5-mini`: the provider's name, then the name that it knows. */
  model: v.string(),
  api: v.optional(v.picklist(['openai', 'anthropic'])),
  baseUrl: v.optional(v.pipe(v.string(), v.url())),
  /** The environment variable that has the API key; null if none is needed. */
  keyEnv: v.optional(v.nullable(v.string())),
  prices: v.optional(
    v.strictObject({ inputUsd: price, cachedInputUsd: v.optional(price), outputUsd: price }),
  ),
  timeoutMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})

/** A name of a known provider's model, or how to call it. */
export const modelSetting = v.optional(v.nullable(v.union([v.string(), languageModel])), null)
type ModelSetting = v.InferOutput<typeof modelSetting>

export const engineSettings = v.strictObject({
  /** A name or a policy as an object; the engine validates it. */
  policy: v.optional(v.union([v.string(), fields])),
  models: v.optional(v.array(fields), []),
  strictModels: v.optional(v.boolean(), false),
  compaction: v.optional(v.picklist(['on', 'off', 'shadow']), 'on'),
  tokenizer: v.optional(v.picklist(['auto', 'exact', 'estimate']), 'auto'),
  /** Rules write summaries without one. */
  summarizer: modelSetting,
})

type EngineSettings = v.InferOutput<typeof engineSettings>

/** The options of the engine; throws if the summarizer cannot be called as set. */
export function engineOptions(
  { summarizer: named, ...rest }: EngineSettings,
  env: Readonly<Record<string, string | undefined>>,
): ThroughlineOptions {
  const model = modelOf(named, 'engine.summarizer', env)
  // The engine checks policy and models, and names what is wrong.
  const options = rest as unknown as ThroughlineOptions
  return model === null ? options : { ...options, summarizer: model }
}

/** Null where none is set; throws if it cannot be called as set. */
export function modelOf(
  named: ModelSetting,
  where: string,
  env: Readonly<Record<string, string | undefined>>,
): LanguageModel | null {
  if (named === null) return null
  const given = typeof named === 'string' ? { model: named } : named
  const { model: id, prices, timeoutMs } = given
  const slash = id.indexOf('/')
  const provider = id.slice(0, Math.max(slash, 0))
  const known = Object.hasOwn(knownProviders, provider) ? knownProviders[provider] : undefined
  const { api = 'openai', baseUrl, keyEnv = null } = { ...known, ...given }
  if (baseUrl === undefined)
    throw invalid(
      where,
      `unknown provider "${provider}"; use one of ${Object.keys(knownProviders).join(', ')}, or set baseUrl`,
    )
  const key = keyEnv === null ? null : env[keyEnv]?.trim() || null
  if (keyEnv !== null && key === null)
    throw invalid(where, `the API key is missing: set ${keyEnv} to call ${id}`)
  return httpModel({
    ...{ api, baseUrl, key, id, model: id.slice(slash + 1) },
    ...(prices !== undefined && { prices }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

function invalid(where: string, message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `server settings: ${where}: ${message}`)
}
