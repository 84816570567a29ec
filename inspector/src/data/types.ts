/** What the API answers, as far as the page uses it. */
import type {
  Conversation,
  EngineEvent,
  LedgerEntry,
  Message,
  Part,
  Preview,
  Recalled,
  Receipt,
  RequestUse,
  Status,
  View,
  ViewVersion,
} from 'throughline'
import type { RebuiltRequest } from 'throughline/toolkit'

export type {
  Conversation,
  EngineEvent,
  LedgerEntry,
  Message,
  Part,
  Preview,
  RebuiltRequest,
  Recalled,
  Receipt,
  RequestUse,
  Status,
  View,
  ViewVersion,
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

export interface Session {
  readonly role: 'read' | 'write' | 'admin' | null
  readonly tenant: string | null
  readonly folder: string | null
  readonly chatModel: string | null
  readonly hasLinks: boolean
  readonly curl: string
  readonly client: string
}

export interface OverviewItem {
  readonly conversation: Conversation
  readonly last: RequestUse | null
  readonly lastAt: number
  readonly requests: number
  readonly compactions: number
  readonly cost: number
}

export interface RequestCost {
  readonly fingerprint: string
  readonly at: number
  readonly model: string
  readonly head: number | null
  readonly tokens: number
  readonly cachedTokens: number
  readonly freshTokens: number
  readonly brokenBy: string | null
  readonly cost: number
}

export interface MethodCost {
  readonly cost: number
  readonly sentTokens: number
  readonly breaks: number
  readonly tooLarge: number
}

export interface Costs {
  readonly items: readonly RequestCost[]
  readonly totals: {
    readonly throughline: MethodCost
    readonly full: MethodCost | null
    readonly sliding: MethodCost | null
  }
}

export interface KeptVersion {
  readonly version: number
  readonly model: string
  readonly view: View | null
}

export interface SummaryText {
  readonly content: string
  readonly version: number
  readonly messagesIncluded: number
  readonly updatedAt: number
}

export interface KeptSummary {
  readonly id: string
  readonly text: string
  readonly covers: { readonly from: number; readonly to: number }
  readonly added: { readonly from: number; readonly to: number }
  readonly version: number
  readonly withdrawn: boolean
  readonly createdAt: number
  readonly madeBy: { readonly summarizer: string; readonly model: string }
}
