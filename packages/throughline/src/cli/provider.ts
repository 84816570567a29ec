/**
 * Where a model is, and its key: the name before the first slash is a provider, built in or from the
 * settings. A key is only ever read from the environment.
 */
import { findModel } from '../index.ts'
import { httpModel, type LanguageModel, type ModelPrices } from '../models/index.ts'
import { typedCommand } from './command.ts'
import { NotSetUp } from './ending.ts'
import { knownProviders } from './providers-data.ts'
import type { CliSettings, ProviderSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface Provider extends ProviderSettings {
  readonly name: string
  readonly modelId: string
  /** Null where none is needed, or none is set. */
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
  // The address in the settings is that of the main model; others of the same provider share it.
  const address = providerName(main) === name ? baseUrl : null
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (found === undefined) return address === null ? null : unnamed(model, name, address)
  const keyEnv = found.keyEnv ?? null
  const key = (keyEnv !== null && env[keyEnv]?.trim()) || null
  const modelId = model.slice(model.indexOf('/') + 1)
  return { ...found, baseUrl: address ?? found.baseUrl, name, keyEnv, key, modelId }
}

/** A name without a provider is that of a model in the catalogue. */
function providerName(model: string): string {
  const slash = model.indexOf('/')
  return slash === -1 ? (findModel(model).card.provider ?? '') : model.slice(0, slash)
}

/** The user's own server: most use OpenAI's API, have slashes in model names, and need no key. */
function unnamed(model: string, name: string, baseUrl: string): Provider {
  return { api: 'openai', baseUrl, keyEnv: null, name: name || baseUrl, key: null, modelId: model }
}

/** Null where the model can be used. */
export function providerProblem(
  model: string,
  provider: Provider | null,
  world: Pick<World, 'env'>,
): string | null {
  if (provider === null)
    return `nobody knows where "${model}" is: names are provider/model, and ${typedCommand("config set providers '{…}'", world)} adds one`
  const { keyEnv, key, name } = provider
  return keyEnv !== null && key === null ? `${keyEnv} is not set, so ${name} cannot be asked` : null
}

export function requireProvider(
  model: string,
  settings: CliSettings,
  world: World,
  wayOut = '',
): Provider {
  const provider = findProvider(model, settings, world)
  const problem = providerProblem(model, provider, world)
  if (provider === null || problem !== null)
    throw new NotSetUp(`model ${model}: ${problem}${provider === null ? '' : wayOut}`)
  return provider
}

export function pricesOf(
  model: string,
  { models }: Pick<CliSettings, 'models'>,
): ModelPrices | null {
  return models[model]?.prices ?? models[findModel(model).card.id]?.prices ?? null
}

export function summaryModel(id: string, settings: CliSettings, world: World): LanguageModel {
  const { api, baseUrl, key, modelId: model } = requireProvider(id, settings, world)
  const prices = pricesOf(id, settings)
  return httpModel({ api, baseUrl, key, model, id, ...(prices !== null && { prices }) })
}
