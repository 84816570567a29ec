/** Options by which other libraries are told how much a model takes. Here the model's card says it. */
const names = new Set([
  ...['window', 'windowTokens', 'windowSize', 'contextWindow', 'contextWindowTokens'],
  ...['contextLength', 'contextSize', 'maxTokens', 'max_tokens', 'maxInputTokens'],
  ...['maxContextTokens', 'tokenLimit', 'tokenBudget', 'budget', 'limit'],
])

/** Where the window is told instead; empty for any other option. */
export function windowAdvice(option: string): string {
  if (!names.has(option)) return ''
  return (
    '. The window of a model is set by models: [{ id, contextWindowTokens }] of createThroughline ' +
    'or fit, and the longest reply by replyTokens of context or fit'
  )
}
