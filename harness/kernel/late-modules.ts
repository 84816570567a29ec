/** What an engine loads only when it needs it: loading takes real time, which looks like an engine that is stuck. */
export function lateModules(): readonly Promise<unknown>[] {
  return [
    import('../../packages/throughline/src/conversation/extract-ahead.ts'),
    import('../../packages/throughline/src/conversation/run-jobs.ts'),
    import('../../packages/throughline/src/domain/provider-overflow.ts'),
    import('../../packages/throughline/src/fit/fit-messages.ts'),
    import('../../packages/throughline/src/fit/reported.ts'),
    import('../../packages/throughline/src/flow/assemble/extension-slots.ts'),
    import('../../packages/throughline/src/flow/assemble/supplied-slots.ts'),
    import('../../packages/throughline/src/flow/decide/evaluate-recent.ts'),
    import('../../packages/throughline/src/flow/epoch/make-view.ts'),
    import('../../packages/throughline/src/flow/recall/meaning.ts'),
    import('../../packages/throughline/src/flow/recall/message-pieces.ts'),
    import('../../packages/throughline/src/flow/recall/recall-for-turn.ts'),
    import('../../packages/throughline/src/flow/receipt/receipt.ts'),
    import('../../packages/throughline/src/flow/select/load-candidates.ts'),
    import('../../packages/throughline/src/flow/summarize/write-summary.ts'),
    import('../../packages/throughline/src/open-engine.ts'),
    import('../../packages/throughline/src/policies/read-policy.ts'),
    import('../../packages/throughline/src/policies/summary-models.ts'),
    import('../../packages/throughline/src/stores/memory.ts'),
    import('../../packages/throughline/src/tokenizers/estimate.ts'),
  ]
}
