/** The views that were in force, as they are listed. */
import { defaults } from '../defaults.ts'
import type { ConversationId } from '../domain/ids.ts'
import { wholeNumber } from '../domain/span.ts'
import type { ViewVersion } from '../domain/view-version.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

export interface VersionsInput {
  /** Of all models where it is left out. */
  readonly model?: string | undefined
  readonly limit?: number | undefined
}

export async function versionsOf(
  store: TenantStore,
  id: ConversationId,
  input: VersionsInput,
  front: Front,
): Promise<readonly ViewVersion[]> {
  const { model, limit } = checkOptions(input, ['model', 'limit'], 'versions')
  const most = wholeNumber(limit ?? defaults.pageRows.value)
  const name = model === undefined ? null : await cardOf(model, 'versions', front)
  return (await store.versions({ id, model: name, limit: most })) ?? []
}

/** Views are kept under the name of the card. */
export async function cardOf(model: unknown, where: string, front: Front): Promise<string> {
  if (typeof model !== 'string' || model === '')
    throw invalidOption(`${where}: model must be a name`)
  return (await front.meter(model)).card.id
}
