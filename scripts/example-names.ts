/** The names that an example in a comment may use without importing them. */
import { entryFiles, isValue, reportedExports } from './api-reports.ts'

/** Every public function and constant, and typical variables of a program. */
export function exampleNames(): string {
  const imports = entryFiles().map((entry) => {
    const values = reportedExports(entry).filter(isValue)
    return `import { ${values.map(({ name }) => name).join(', ')} } from '${entry.name}'\n`
  })
  return imports.join('') + atHand
}

const atHand = `import type * as everything from 'throughline'
import type * as stores from 'throughline/stores'
import type * as ofTurns from 'throughline/turns'
declare const error: unknown
declare function it(name: string, run: () => Promise<void>): void
declare function expect(value: unknown): { toBe(expected: unknown): void }
declare const chat: everything.ConversationHandle
declare const context: everything.Context
declare let state: everything.FitState | null
declare const inputs: readonly everything.MessageInput[]
declare const tl: everything.Throughline
declare const tokenizer: everything.Tokenizer
declare const estimator: everything.Tokenizer
declare const bytes: Uint8Array
declare const system: string
declare const tools: readonly everything.ToolSchema[]
declare const messages: readonly everything.Message[]
declare const driver: import('throughline/stores/sqlite').SqliteDriver
declare const job: everything.Job
declare const tenant: everything.TenantId
declare const conversation: everything.ConversationId
declare const store: everything.Store
declare const row: stores.DerivedRow
declare const own: stores.OwnRows<string>
declare const segments: readonly stores.RowSegment<string>[]
declare const response: Response
declare const log: stores.LogState
declare const family: stores.RewrittenLog
declare const sealed: readonly stores.SealedMessage[]
declare const views: readonly everything.View[]
declare const turns: readonly ofTurns.TurnRecord[]
`
