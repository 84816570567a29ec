/** Words that identify file operations, failures and instructions. */
import type { FileOperation } from '../../domain/ledger.ts'

/** Words in tool names, by file operation. */
export const operationWords: Readonly<Record<FileOperation, readonly string[]>> = {
  create: ['create', 'write'],
  edit: ['edit', 'modify', 'replace', 'insert', 'append', 'update', 'patch'],
  delete: ['delete', 'remove'],
  read: ['read', 'get', 'view', 'open', 'cat'],
}
export const operations = [
  'create',
  'edit',
  'delete',
  'read',
] as const satisfies readonly FileOperation[]

export const pathFields = [
  ...(['path', 'file_path', 'filePath', 'file', 'filename', 'fileName', 'target_file'] as const),
  ...(['notebook_path', 'absolute_path', 'relative_path'] as const),
]

export const instructionsTitle =
  /^\s*(?:#+\s*(?:AGENTS|CLAUDE|GEMINI)\.md\b|<(?:user_|agent_)?instructions>)/i

export const failureWords = /\b(?:errors?|exceptions?|failed|failures?|fatal|cannot|unable to)\b/i
export const failureNames = /[a-z](?:Error|Exception)\b/
/** Phrases such as "0 errors", which report no failure. */
export const noFailures = [
  /\b(?:0|no|zero|without(?: any)?)\s+(?:[a-z]+\s+)?(?:errors?|exceptions?|failures?|failed)\b/gi,
  /\b(?:errors?|exceptions?|failures?|failed)["']?\s*[:=]\s*(?:0\b|null\b|none\b|false\b|""|''|\[\]|\{\})/gi,
  /\berror[- ]free\b/gi,
]
