/**
 * Finds the provider of a model, its URL and its API key. The name before the first slash is the
 * provider: built in, or from the settings. Keys come only from the environment.
 */
import { findModel } from '../index.ts'
import {
  httpModel,
  knownProviders,
  type LanguageModel,
  type ProviderSettings,
} from '../models/index.ts'
import { typedCommand } from './command.ts'
import { ModelNotConfigured } from './exit-result.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface Provider extends ProviderSettings {
  readonly name: string
  readonly modelId: string
  /** Null if none is needed or none is set. */
  readonly key: string | null
}

/** Null for an unknown provider. */
export function findProvider(
  model: string,
  { providers, baseUrl, model: main }: Pick<CliSettings, 'providers' | 'baseUrl' | 'model'>,
  { env }: Pick<World, 'env'>,
): Provider | null {
  const name = providerName(model)
  const known: CliSettings['providers'] = { ...knownProviders, ...providers }
  // `baseUrl` is for the main model; other models of the same provider share it.
  const address = providerName(main) === name ? baseUrl : null
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (found === undefined) return address === null ? null : customProvider(model, name, address)
  const keyEnv = found.keyEnv ?? null
  const key = (keyEnv !== null && env[keyEnv]?.trim()) || null
  const modelId = model.slice(model.indexOf('/') + 1)
  return { ...found, baseUrl: address ?? found.baseUrl, name, keyEnv, key, modelId }
}

/** A name without a slash is looked up in the model catalogue. */
function providerName(model: string): string {
  const slash = model.indexOf('/')
  return slash === -1 ? (findModel(model).card.provider ?? '') : model.slice(0, slash)
}

/** The user's own server: most have OpenAI's API, slashes in model names, and no key. */
function customProvider(model: string, name: string, baseUrl: string): Provider {
  return { api: 'openai', baseUrl, keyEnv: null, name: name || baseUrl, key: null, modelId: model }
}

/** Null if the model can be used. */
export function providerProblem(
  model: string,
  provider: Provider | null,
  world: Pick<World, 'env'>,
): string | null {
  if (provider === null) return unknownProvider(model, world)
  const { keyEnv, key, name } = provider
  if (keyEnv === null || key !== null) return null
  return `the API key is missing: set ${keyEnv} to call ${name}`
}

function unknownProvider(model: string, world: Pick<World, 'env'>): string {
  const problem = model.includes('/')
    ? `unknown provider "${model.slice(0, model.indexOf('/'))}"`
    : `unknown model "${model}"; name it as provider/model`
  const how = typedCommand("config set providers '{…}'", world)
  return `${problem}; known providers: ${Object.keys(knownProviders).join(', ')}; ${how} adds one`
}

export function requireProvider(model: string, settings: CliSettings, world: World, advice = '') {
  const provider = findProvider(model, settings, world)
  const problem = providerProblem(model, provider, world)
  if (provider === null || problem !== null)
    throw new ModelNotConfigured(`model ${model}: ${problem}${provider === null ? '' : advice}`)
  return provider
}

export function pricesOf(model: string, { models }: Pick<CliSettings, 'models'>) {
  return models[model]?.prices ?? models[findModel(model).card.id]?.prices ?? null
}

export function summaryModel(id: string, settings: CliSettings, world: World): LanguageModel {
  const { api, baseUrl, key, modelId: model } = requireProvider(id, settings, world)
  const prices = pricesOf(id, settings)
  return httpModel({ api, baseUrl, key, model, id, ...(prices !== null && { prices }) })
}
