/**
 * Tools that a service runs itself (`web_search` and the like). Its adapter keeps the
 * definition whole as `tool` of its note; without a schema of ours it is of no use to
 * any other service.
 */
import type { ToolSchema } from '../domain/tool-schema.ts'
import { isFields } from './unknown-json.ts'

/** For a tool that the asking adapter has not known as its own. */
export function isServiceTool({ metadata, parameters }: ToolSchema): boolean {
  if (parameters !== undefined) return false
  return Object.values(metadata ?? {}).some((note) => isFields(note) && isFields(note['tool']))
}
