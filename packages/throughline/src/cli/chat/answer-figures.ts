/** The figures behind an answer: how full the request was, what it cost, and what was compacted. */
import { costOf } from '../../domain/model-prices.ts'
import type { Receipt } from '../../domain/receipt.ts'
import { pricesOf } from '../provider/prices-of.ts'
import type { Answer } from './answer.ts'
import type { Talk } from './talk.ts'

export interface AnswerFigures {
  /** Null where the model was never asked. */
  readonly tokens: number | null
  readonly available: number | null
  /** In US dollars; null where nobody has said what the model costs. */
  readonly costUsd: number | null
  /** Null where this request compacted nothing. */
  readonly compacted: Pick<Receipt, 'version' | 'line' | 'tokensBefore' | 'tokensAfter'> | null
}

export async function answerFigures(
  { context, usage }: Answer,
  { chat, settings }: Pick<Talk, 'chat' | 'settings'>,
): Promise<AnswerFigures> {
  const prices = pricesOf(settings.model, settings)
  return {
    tokens: context?.tokens ?? null,
    available: context?.available ?? null,
    costUsd: usage === null || prices === null ? null : costOf(usage, prices),
    compacted: context === null ? null : await receiptOf(context, chat),
  }
}

async function receiptOf(
  { decision, epoch }: NonNullable<Answer['context']>,
  chat: Talk['chat'],
): Promise<AnswerFigures['compacted']> {
  if (decision.kind === 'go-on' || decision.shadow) return null
  const [newest] = await chat.receipts({ limit: 1 })
  if (newest === undefined || newest.epoch !== epoch) return null
  const { version, line, tokensBefore, tokensAfter } = newest
  return { version, line, tokensBefore, tokensAfter }
}
