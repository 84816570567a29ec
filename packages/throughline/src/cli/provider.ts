/**
 * Where a model is, and the key for it: the part of its name before the first slash names a
 * provider, one of ours or one from the settings. A key is only ever read from the environment.
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
  /** As the provider calls it. */
  readonly modelId: string
  /** Null where none is needed, or none is set. */
  readonly key: string | null
}

/** Null where nobody knows the provider. */
export function findProvider(
  model: string,
  { providers, baseUrl, model: main }: Pick<CliSettings, 'providers' | 'baseUrl' | 'model'>,
  { env }: Pick<World, 'env'>,
): Provider | null {
  const name = providerName(model)
  const known: CliSettings['providers'] = { ...knownProviders, ...providers }
  // The address that was set is that of the main model; others of the same provider share it.
  const address = providerName(main) === name ? baseUrl : null
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (found === undefined) return address === null ? null : unnamed(model, name, address)
  const keyEnv = found.keyEnv ?? null
  const key = (keyEnv !== null && env[keyEnv]?.trim()) || null
  const modelId = model.slice(model.indexOf('/') + 1)
  return { ...found, baseUrl: address ?? found.baseUrl, name, keyEnv, key, modelId }
}

/** A name without a provider is that of a model which the catalogue knows. */
function providerName(model: string): string {
  const slash = model.indexOf('/')
  return slash === -1 ? (findModel(model).card.provider ?? '') : model.slice(0, slash)
}

/** A server of somebody's own: most speak like OpenAI, name models with slashes, and want no key. */
function unnamed(model: string, name: string, baseUrl: string): Provider {
  return { api: 'openai', baseUrl, keyEnv: null, name: name || baseUrl, key: null, modelId: model }
}

/** Why it cannot be asked; null where it can. */
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

/** Throws where the model cannot be asked, with what is missing, and the way out of it. */
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

/** What a model costs, where the settings say it: `models: { "openai/gpt-5-mini": { "prices": … } }`. */
export function pricesOf(
  model: string,
  { models }: Pick<CliSettings, 'models'>,
): ModelPrices | null {
  return models[model]?.prices ?? models[findModel(model).card.id]?.prices ?? null
}

/** A configured model as one that writes summaries. */
export function summaryModel(id: string, settings: CliSettings, world: World): LanguageModel {
  const { api, baseUrl, key, modelId: model } = requireProvider(id, settings, world)
  const prices = pricesOf(id, settings)
  return httpModel({ api, baseUrl, key, model, id, ...(prices !== null && { prices }) })
}
