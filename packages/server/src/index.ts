/** Throughline as a service. */
export {
  type Access,
  type AuditRow,
  type Awaitable,
  type Key,
  type KeyChanges,
  type NewKey,
  type Reservation,
  type Role,
  type SqliteAccess,
  type StoredAnswer,
  sqliteAccess,
  type WriteRequest,
  type WritesAndAudit,
} from './access.ts'
export type { AnswerLine } from './answer-route.ts'
export { type BackupFile, backupServer, restoreServer } from './backup.ts'
export { clientLines, curlLines } from './call-lines.ts'
export { createServer, type Server, type ServerOptions } from './create-server.ts'
export { type StartedMcp, startMcp } from './mcp/start-mcp.ts'
export { createServerKey, lendServerKey } from './server-folder.ts'
export {
  readServerSettings,
  type ServerLimitsInput,
  type ServerSettings,
  type ServerSettingsInput,
} from './settings.ts'
export { type StartedServer, startServer } from './start-server.ts'
export { type StartedWorker, startWorker } from './start-worker.ts'
