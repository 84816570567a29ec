/** A gateway before the scripted upstream, a tap before the gateway, and a client in an empty home. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
  startScriptedUpstream,
} from '../gateway/scripted-upstream.ts'
import { type StartedGateway, startGateway } from '../gateway/started-gateway.ts'
import type { CodingAgent, Place } from './coding-agents.ts'
import { type Model, scriptedModel } from './play.ts'
import { startTap, type Tap } from './tap.ts'
import { imageFile } from './tool-calls.ts'

export interface StartedSession {
  /** Null where the client calls the upstream itself. */
  readonly gateway: StartedGateway | null
  readonly upstream: ScriptedUpstream
  readonly tap: Tap
  readonly model: Model
  readonly place: Place
  stop(): Promise<void>
}

const chart =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAABlklEQVR4nBXRURVEIQhFUSMYgQhGMAIRiGCEE8EIRiACEYhABCLMG7/ZrMt1jMEcyGAN9kAHNjgDBnfwBj6IQQ5q0IMxJnMikzXZE53Y5EyY3Mmb+CQmOalJzw8IUxBhCVtQwYQjIFzhCS6EkEIJLR9YzIUs1mIvdGGLs2BxF2/hi1jkoha9PrCZG9mszd7oxjZnw+Zu3sY3sclNbXp/QJmKKEvZiiqmHAXlKk9xJZRUSmn9gDENMZaxDTXMOAbGNZ7hRhhplNH2gcM8yGEd9kEPdjgHDvfwDn6IQx7q0OcD/wK/Sr4jv9hfkG/1N/x/Fx44BCQU9Pc94zIvclmXfdGLXc79j9/Lu/glLnmpS98PPOZDHuuxH/qwx3n/5ffxHv6IRz7q0e8DznTEWc521DHn+D/KdZ7jTjjplNP+gWAGEqxgBxpYcOIf/AYv8CCCDCro+EAyE0lWshNNLDn5P/MmL/Ekkkwq6fxAMQspVrELLaw49S/lFq/wIoosquj6QDMbaVazG22sOf2v8Dav8SaabKrp5geIAnAQEbP2+wAAAABJRU5ErkJggg=='

/** `aloneWithin`: without a gateway, before an upstream with this window. */
export async function startSession(
  agent: CodingAgent,
  aloneWithin: number | null = null,
): Promise<StartedSession> {
  const home = mkdtempSync(join(tmpdir(), 'throughline-home-'))
  const work = mkdtempSync(join(tmpdir(), 'throughline-work-'))
  writeFileSync(join(work, imageFile), Buffer.from(chart, 'base64'))
  const model = scriptedModel({ folder: work })
  const scripted: ScriptedUpstreamOptions = {
    windowTokens: aloneWithin ?? agent.windowTokens,
    answer: (number, body, api) => model.answer(number, body, api),
    tolerates: agent.tolerates,
  }
  const models = agent.models.map((id) => ({
    ...{ id: id.replace(/^.*\//, ''), tokenizer: 'o200k_base' as const },
    contextWindowTokens: agent.windowTokens,
  }))
  const gateway = aloneWithin === null ? await startGateway({ ...scripted, models }) : null
  const upstream = gateway?.upstream ?? (await startScriptedUpstream(scripted))
  const tap = await startTap((gateway ?? upstream).url)
  const place: Place = {
    ...{ url: tap.url, key: gateway?.key ?? 'none', home, work },
    probe: [process.execPath, join(import.meta.dirname, 'probe-child.ts')],
  }
  for (const [path, text] of Object.entries(agent.files(place))) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return {
    ...{ gateway, upstream, tap, model, place },
    stop: async () => {
      await tap.close()
      await (gateway?.stop() ?? upstream.close())
      for (const folder of [home, work]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
