import { conversationOf, type Settings } from '../calls/options.ts'
import type { CallParams, NamedModel } from './call.ts'

export function conversationOfCall<Call>(
  settings: Settings<Call>,
  call: Call,
  namedByCall: unknown,
): Promise<string> {
  const orElse = ', or call with providerOptions: { throughline: { conversation: "…" } }'
  return conversationOf(settings, call, namedByCall, orElse)
}

/** Our options of a call; providers ignore them. */
export function ownOptionsOf({ providerOptions }: Pick<CallParams, 'providerOptions'>): {
  readonly conversation?: unknown
  /** Whether `throughlineStep` appends the reply. */
  readonly kept?: unknown
} {
  return { ...providerOptions?.['throughline'] }
}

/** The name as in the catalogue. Model ids of routers already include the maker's name. */
export function modelNameOf<Call>(settings: Settings<Call>, model: NamedModel): string {
  if (settings.model !== undefined) return settings.model
  const { provider, modelId } = model
  return modelId.includes('/') ? modelId : `${provider.split('.')[0]}/${modelId}`
}
