/** Why a model has not answered, in one line that says what to do. No key is ever in it. */
import { errorTable } from '../../errors.ts'
import type { ModelFailure } from '../../ports/language-model.ts'
import { meantModel } from '../meant-model.ts'
import type { Provider } from '../provider/find-provider.ts'
import { duration } from '../screen/numbers.ts'
import { typedCommand } from '../typed-command.ts'
import type { World } from '../world.ts'

export function failureText(failure: ModelFailure, provider: Provider, world: World): string {
  const { status, message } = failure
  const said = message.replace(/[.!\s]+$/, '')
  const isTold = status === null || said.startsWith(String(status))
  return `${isTold ? said : `${status}: ${said}`}; ${wayOut(failure, provider, world)}`
}

function wayOut(
  { status, cause, retryAfterMs }: ModelFailure,
  provider: Provider,
  world: World,
): string {
  const { name, keyEnv, modelId, baseUrl } = provider
  if (status === 401 || status === 403)
    return keyEnv === null
      ? `${name} wants a key: ${typedCommand("config set providers '{…}'", world)} names the variable that holds it`
      : `look at the key in ${keyEnv}`
  if (status === 404) {
    const meant = meantModel(modelId)
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    return `look whether ${name} has a model "${modelId}" at ${baseUrl}${hint}`
  }
  if (status === 402) return `look at your account with ${name}`
  if (status === 429)
    return retryAfterMs === null
      ? `${name} wants fewer requests, or your quota is used up`
      : `${name} asks to be left alone for ${duration(retryAfterMs)}`
  if (status !== null && status >= 500) return `${name} is busy or broken; try again later`
  if (cause === 'refused') return `${name} takes no such request`
  if (cause === 'invalid') return `look whether ${baseUrl} is the address of a model`
  return `look whether ${name} is there, at ${baseUrl}`
}

/** Wrong settings, or a service that is away. */
export function failureExitCode({ status }: ModelFailure): number {
  return status === 401 || status === 403 || status === 404
    ? errorTable.CONFIG_INVALID.exitCode
    : errorTable.SUMMARY_FAILED.exitCode
}
