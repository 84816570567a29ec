/** A model around the one of a step: it keeps the reply, and fits the prompt again if it must. */
import type { ToolSchema } from '../domain/tool-schema.ts'
import { generate, stream } from './answer.ts'
import type { CallableModel, CallParams } from './call.ts'
import type { KeptRequest } from './kept-request.ts'
import { toolSchemasOf } from './tool-schemas.ts'
import { withContext } from './write-prompt.ts'

/** `see` is told the schemas that a call holds, which are not known before it. */
export function keptModel(
  model: CallableModel,
  kept: KeptRequest,
  see: (tools: readonly ToolSchema[]) => void,
): CallableModel {
  const ready = async (given: CallParams): Promise<[KeptRequest, CallParams]> => {
    const params = withKept(given)
    const tools = toolSchemasOf(params)
    see(tools)
    const { maxOutputTokens: replyTokens } = params
    const counted = JSON.stringify(tools) === JSON.stringify(kept.request.tools ?? [])
    if (counted && replyTokens === undefined) return [kept, params]
    const request = { ...kept.request, tools, replyTokens }
    const again = { ...kept, request, context: await kept.chat.context(request) }
    return [again, withContext(params, again.context, model)]
  }
  return new Proxy(model, {
    get(target, property) {
      switch (property) {
        case 'doGenerate':
          return async (given: CallParams) => {
            const [asked, params] = await ready(given)
            return generate(
              asked,
              () => target.doGenerate(params),
              (smaller) => target.doGenerate(withContext(params, smaller.context, target)),
            )
          }
        case 'doStream':
          return async (given: CallParams) => {
            const [asked, params] = await ready(given)
            return stream(
              asked,
              () => target.doStream(params),
              (smaller) => target.doStream(withContext(params, smaller.context, target)),
            )
          }
        default:
          return Reflect.get(target, property)
      }
    },
  })
}

/** A middleware of ours around the same model has nothing to do then. */
function withKept(params: CallParams): CallParams {
  const { throughline, ...others } = params.providerOptions ?? {}
  return { ...params, providerOptions: { ...others, throughline: { ...throughline, kept: true } } }
}
