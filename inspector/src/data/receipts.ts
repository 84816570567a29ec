/** The receipts of a conversation, newest first. */
import { call, pathOf } from './api.ts'
import type { Page, Receipt } from './types.ts'

export async function receiptsOf(id: string, signal: AbortSignal): Promise<readonly Receipt[]> {
  const path = pathOf(id, 'compactions')
  return (await call<Page<Receipt>>(path, { query: { limit: 200 }, signal })).items
}
