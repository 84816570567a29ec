/**
 * The model behind a name, as the AI SDK itself finds it: by the provider that the host has
 * set for all of its program, else by the gateway. The package `ai` is loaded only for the
 * latter, and only when a model is asked for the first time.
 */
import { isNotInstalled } from '../domain/not-installed.ts'
import { failed } from './language-model-failure.ts'
import type { AiSdkModel, AiSdkProvider } from './language-model-shape.ts'

type Resolved = AiSdkModel | ReturnType<typeof failed>

/** A name that leads nowhere throws as the provider does. */
export async function resolveModel(
  name: string,
  provider: AiSdkProvider | null,
): Promise<Resolved> {
  const known = provider ?? globalProvider()
  if (known !== null) return known.languageModel(name)
  const sdk = await importSdk()
  return sdk === null ? notInstalled : sdk.gateway.languageModel(name)
}

const notInstalled = failed(
  'refused',
  'a model by name needs the AI SDK: npm install ai, or hand in the model itself',
)

function globalProvider(): AiSdkProvider | null {
  const provider = Reflect.get(globalThis, 'AI_SDK_DEFAULT_PROVIDER') as AiSdkProvider | undefined
  return typeof provider?.languageModel === 'function' ? provider : null
}

async function importSdk(): Promise<{ readonly gateway: AiSdkProvider } | null> {
  try {
    const { gateway } = await import('ai')
    // Its models take more than ours and give more; what we use of them is the same.
    return { gateway: gateway as unknown as AiSdkProvider }
  } catch (cause) {
    if (isNotInstalled(cause)) return null
    throw cause
  }
}
