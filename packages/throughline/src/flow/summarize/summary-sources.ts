/** What a summary may be made from: its exact values must stand in one of these (invariant 13). */

import type { Ledger } from '../../domain/ledger.ts'
import type { Message } from '../../domain/message.ts'
import type { Draft } from '../../domain/summary.ts'
import type { ToldMessage } from '../../ports/summary-style.ts'
import type { ContextRequest } from '../check/check-request.ts'
import { draftText } from '../gate/draft-text.ts'
import type { GateSource } from '../gate/source-index.ts'
import { textOfParts } from '../text/message-text.ts'

export interface SummarySources {
  readonly request: Pick<ContextRequest, 'model' | 'system' | 'tools'>
  readonly pinned: readonly Message[]
  readonly ledger: Ledger
}

export function gateSources(
  { request, pinned, ledger }: SummarySources,
  messages: readonly ToldMessage[],
  previous: Draft | null,
): readonly GateSource[] {
  const beside = (kind: GateSource['kind'], text: string): GateSource => ({
    kind,
    role: null,
    text,
  })
  return [
    ...messages.map(({ role, parts }): GateSource => {
      const text = textOfParts(parts)
      return role === 'system' ? beside('system', text) : { kind: 'message', role, text }
    }),
    ...request.system.map(({ text }) => beside('system', text)),
    ...(request.tools.length === 0 ? [] : [beside('tools', JSON.stringify(request.tools))]),
    ...pinned.map(({ parts }) => beside('pin', textOfParts(parts))),
    ...(previous === null ? [] : [beside('summary', draftText(previous))]),
    beside('ledger', ledger.entries.map(({ label, value }) => `${label} ${value}`).join('\n')),
  ]
}
