/**
 * A name for the words of a prompt: the hash of what is asked about a conversation that never
 * changes. Made from the request itself, so no change of it can be forgotten.
 */
import { shortHash } from '../domain/hash.ts'
import type { ModelRequest } from '../ports/language-model.ts'

export function promptHash(version: number, requests: readonly ModelRequest[]): string {
  return shortHash(JSON.stringify([version, requests]))
}
