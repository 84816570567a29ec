/** What an example beside the code may use without saying where it comes from. */
import { isValue, publicApi } from './public-api.ts'

/** Every function and constant that users can import, and things that a program has at hand. */
export function exampleNames(): string {
  const imports = publicApi().map(({ name, exports }) => {
    const values = exports.filter(isValue).map((each) => each.name)
    return `import { ${values.join(', ')} } from '${name}'\n`
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
declare const log: stores.LogState
declare const family: stores.RewrittenLog
declare const sealed: readonly stores.SealedMessage[]
declare const facts: readonly stores.MessageFacts[]
declare const views: readonly everything.View[]
declare const receipts: readonly everything.NewReceipt[]
declare const turns: readonly ofTurns.TurnRecord[]
`
